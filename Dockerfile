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
RUN pip install --root-user-action=ignore --require-hashes -r requirements.lock
COPY . .
RUN pip install --root-user-action=ignore --no-deps --no-build-isolation .

USER fairlog
WORKDIR /var/lib/fairlog
VOLUME /var/lib/fairlog
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 CMD ["python", "-c", \
    "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"FAIRLOG_PORT\"]}/readyz', timeout=3)"]
ENTRYPOINT ["fairlog"]
CMD ["serve"]
