"""Entry point: one line for every mistake, and the exit codes 0 (fine), 1 (a finding), 2 (the caller's mistake)."""

from __future__ import annotations

import errno
import sys

import typer

from perturb.cli import streams
from perturb.errors import PerturbError

app = typer.Typer(
    name="perturb",
    help="How much retrieval quality does a model lose when Polish queries are written the way people write them?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

INTERNAL = 70
"""Exit code of a defect in perturb itself."""

INTERRUPTED = 130
"""Exit code after Ctrl-C; the parser of the command line returns it too."""


def _version(value: bool) -> None:
    if value:
        from perturb import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Options before the subcommand; ``main`` reads ``--debug`` itself."""


def _complain(message: str) -> None:
    line = " ".join(message.split())
    print(f"perturb: {line}", file=sys.stderr)  # noqa: T201  # the one place that speaks of errors


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: without the program name; ``None`` for those of the process.

    Returns:
        0 fine, 1 a finding, 2 the caller's mistake, 70 a defect in perturb, 130 interrupted.
    """
    from perturb.cli import decisions, golden, language, runs, traffic  # noqa: F401  # each adds its subcommands to `app`

    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    streams.prepare()
    try:
        result = app(arguments, prog_name="perturb", standalone_mode=False)
        if result == INTERRUPTED:
            return _interrupted()
        with streams.even_if_unread():
            sys.stdout.flush()
    except PerturbError as error:
        if debug:
            raise
        _complain(str(error))
        return 2
    except KeyboardInterrupt:
        return _interrupted()
    except (BrokenPipeError, SystemExit) as error:
        if not streams.reader_has_gone(error):
            raise
        streams.silence()
        return 0
    except OSError as error:
        if debug:
            raise
        mend = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else "check the path"
        _complain(f"{error.filename or 'output'}: {error.strerror or error}; {mend} or give another place")
        streams.silence()
        return 2
    except Exception as error:  # noqa: BLE001  # the last resort: a defect still ends in one line
        return _other(error, debug)
    return result if isinstance(result, int) else 0


def _interrupted() -> int:
    _complain("interrupted; finished work is kept, the same command goes on from there")
    return INTERRUPTED


def _other(error: Exception, debug: bool) -> int:
    """Usage errors of the command line parser, and defects."""
    show = getattr(error, "format_message", None)
    if show is not None:
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "perturb"
        message = show()
        if not message:
            return 2
        _complain(f"{message} (see `{where} --help`)")
        return 2
    if type(error).__name__ == "Abort":
        return _interrupted()
    if type(error).__name__ == "Exit":
        return int(getattr(error, "exit_code", 0))
    if debug:
        raise error
    _complain(f"internal error: {type(error).__name__}: {error}; please report it with the output of --debug")
    return INTERNAL


def script() -> None:
    """Console script."""
    sys.exit(main())
