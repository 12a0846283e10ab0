"""Golden sets: documents, queries and graded judgements, read, checked, extended, split and reviewed."""
