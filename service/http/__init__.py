"""The JSON API for all rulesets: routes, authentication, validation and responses."""
