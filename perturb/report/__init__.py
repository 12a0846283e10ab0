"""Reports: files for programs, tables for people, and the gate for CI."""
