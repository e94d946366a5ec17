"""The routes of the API, one module for each subject, with its own response models."""
