"""The routes of the API: one module for each subject, which also has its response models."""
