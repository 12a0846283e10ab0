"""What a token looks like: the patterns behind :func:`perturb.polish.text.tokenize`."""

from __future__ import annotations

import re
from functools import lru_cache

_LETTER = r"[^\W\d_]"
_WORD_LETTER = rf"(?:{_LETTER}|[\u0300-\u036f])"
_FILE_ENDINGS = (
    "pdf|docx?|xlsx?|pptx?|csv|tsv|txt|xml|xsd|jsonl?|zip|rar|7z|jpe?g|png|gif|tiff?|html?|odt|ods|rtf|msg|eml|exe|dll"
)
_DOMAIN_ENDINGS = "pl|com|eu|org|net|gov|edu|info|biz|io|dev|de|uk"
_GAP = r"[\ \u00a0\u2007\u2009\u202f]"
"""What parts the groups of a number; figure and thin spaces are what typesetters put there."""
COMPANY_FORM = re.compile(
    r"(?<!\w)(?:sp\.?\s+)?z\s*o\.\s?o\.?|(?<!\w)sp\.\s?(?:j|k|p)\.|(?<!\w)S\.?A\.(?!\w)", re.IGNORECASE
)
QUOTED = re.compile(
    r"[„“](?:[^„“”\"]|„[^„“”\"]{0,500}[”“]){0,500}[”“\"]|\"[^\"”]{0,500}[\"”]|”[^„“”\"]{0,500}”|«[^«»]{0,500}»"
    r"|»[^«»]{0,500}«|‹[^‹›]{0,500}›|(?<!\w)‚[^‚‘’]{0,500}[‘’](?!\w)|(?<!\w)‘[^‘’]{0,500}’(?!\w)"
    r"|,,(?:(?!,,|'')[^”]){0,500}(?:''|”)|(?<!\w)'[^']{0,500}'(?!\w)|`[^`]{0,500}`"
)
"""Quotations of every style, one inside another too. The bound keeps a text of stray marks from costing its square."""


@lru_cache(maxsize=1)
def token_pattern(abbreviations: frozenset[str]) -> re.Pattern[str]:
    """The kinds of tokens as named groups; the first that matches wins.

    Args:
        abbreviations: those of the lexicon. A dot behind one ends it (*np.faktura*); one behind another word makes a
            file, host or call (*sklep.shop*), unless a capital follows (*towaru.Kiedy*).
    """
    shortened = "|".join(sorted(re.escape(form) for form in abbreviations if form.isalpha()))
    return re.compile(
        rf"""
    (?P<markup>
        \$\{{[^{{}}\s]*\}} | \$[a-z_]\w* | \{{\{{[^{{}}]{{0,200}}\}}\}} | %\w{{1,100}}% | </?[a-z][^<>]{{0,200}}>
      | (?<![\w-])(?:--[a-z][\w-]*|-[a-z](?![\w-]))
      | (?<![\w:])(?=[\da-f:]*(?:::|[a-f]))[\da-f]{{0,4}}(?::[\da-f]{{0,4}}){{2,}}(?:%\w+|/\d+)?(?![\w:])
      | \w+(?:(?:::|->)\w+)+
    )
  | (?P<address>
        [a-z][a-z0-9+.-]*://\S+ | www\.\S+ | (?:mailto|tel|sms|file):\S+
      | [\w.+%-]+@[\w-]+(?:\.[\w-]+)*
      | [\w-]+(?:[.\\/][\w-]+)*\.(?:{_FILE_ENDINGS}|{_DOMAIN_ENDINGS})(?![\w])(?:/\S*)?
      | (?=[\w-]+\.\w)(?!(?:{shortened})\.){_LETTER}[\w-]*\w(?:\.(?-i:[\da-ząćęłńóśźż])[\w-]*\w)+(?:/\S*)?
      | \d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?/\S*\w
      | [#@][\w-]+ | [A-Za-z]:\\\S+ | \\\\\S+ | (?<![\w.])(?:\.{{1,2}}|~)/\S+ | (?:/[\w.-]+){{2,}}
    )
  | (?P<digits>
        [A-Z]{{2}}\d{{2}}(?:{_GAP}?\d{{4}}){{6}}(?!\d)
      | (?:\+\d{{1,3}}{_GAP}?)?(?:\(\d{{2,3}}\){_GAP}?|(?<!\d)\d{{2}}{_GAP}(?=\d{{3}}-))
        \d{{2,3}}(?:(?:{_GAP}|-)\d{{2,3}}){{1,2}}(?!\w)
      | (?![+-]?\d{{1,3}}(?:{_GAP}\d{{3}})+(?!{_GAP}?\w*\d))
        \+?\d{{1,4}}(?:{_GAP}\d{{2,4}}){{2,}}(?![,.:/–-]?\w)
      | \d+(?:\(\d+[a-z]?\)|\^\d+|(?:[×*]\d+)+)
    )
  | (?P<number>
        [+−±-]?\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)(?:,\d+)?(?![\w])
      | [+−±-]?\d{{1,3}}(?:['’]\d{{3}})+(?!\d)(?:[.,]\d+)?(?![\w])
      | [+−±-]?\d+(?:[.,:/–—-]\d+)*(?![-\w]*\w|[/.:+]\w)%?
    )
  | (?P<code>
        (?=[\w/.:,&+-]{{0,100}}[\d_]) \w+(?:[-/.:,&+]\w+)* | \w*[\d_]\w*
      | (?-i:[A-Z]{{4}}PL[A-Z\d]{{2}}(?:[A-Z\d]{{3}})?)(?!\w)
    )
  | (?P<dotted> (?:{_LETTER}{{1,4}}\.){{2,}} | Dz\.\s?U\. | w/w(?!\w) )
  | (?P<word> {_LETTER}{_WORD_LETTER}*(?:[-'’`]{_WORD_LETTER}+|&{_LETTER}(?!{_LETTER}))* )
  | (?P<symbol> [^\s] )
    """,
        re.VERBOSE | re.IGNORECASE,
    )
