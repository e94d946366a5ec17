"""The JSON API: routes, authentication, validation and responses, for any ruleset."""
