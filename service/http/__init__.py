"""The JSON API: routes, authentication, validation and responses. Nothing here knows a ruleset."""
