"""The application in a web process that waits three seconds for a request, so that tests need not wait longer."""

from service.ops import web_worker

web_worker.RECEIVE_SECONDS = 3.0

from service.wsgi import app  # noqa: E402, F401
