"""The API's routes. Each module has the routes and response models for one subject."""
