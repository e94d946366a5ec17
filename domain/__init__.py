"""The rules of play and of proof: pure functions of frozen values. No clock, no dice, no disk, no network."""
