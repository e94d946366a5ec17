"""The recorders under the log: one file for each kind of database."""
