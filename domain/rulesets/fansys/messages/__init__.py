"""What is said in this room: commands (wishes, imperative) and events (facts, past tense)."""
