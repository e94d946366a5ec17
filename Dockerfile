FROM python:3.12-slim

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
ENTRYPOINT ["fairlog"]
CMD ["serve"]
