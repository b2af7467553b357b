"""gunicorn's settings: two processes of a few threads, each with its own embedder loaded before the first request."""

from hindsight_site.env import env_int, env_str

bind = f"{env_str('CONSOLE_BIND', '127.0.0.1')}:{env_int('CONSOLE_PORT', 8080, low=1, high=65535)}"
worker_class = "gthread"
workers = env_int("CONSOLE_WEB_PROCESSES", 2, low=1, high=64)
threads = env_int("CONSOLE_WEB_THREADS", 4, low=1, high=64)
timeout = 30
graceful_timeout = 15
keepalive = 30
# the most gunicorn takes: the recall lab's questions stand in the address (review/lab.py QUERY_LENGTH)
limit_request_line = 8190
# the kernel's memory, not the disk: a heartbeat file on a busy disk gets healthy workers killed
worker_tmp_dir = "/dev/shm"
control_socket_disable = True


def post_worker_init(worker):
    """Loads the embedder and the Chinese dictionary now, so that no first request waits a second for them."""
    from contextlib import suppress

    from memory import embedding
    from memory.index import text

    text.terms("预热 warm-up")
    embedder = embedding.get_embedder()
    if embedder:
        with suppress(embedding.EmbedderUnavailable):
            embedder.embed(["warm-up"])
