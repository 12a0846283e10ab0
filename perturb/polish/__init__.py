"""Polish: text and tokens, morphology, noun phrases, loanwords, keyboard, and the spaCy pipeline."""
