import multiprocessing
import os

bind = "0.0.0.0:8000"
workers = multiprocessing.cpu_count() * 2 + 1
worker_class = 'gthread'
threads = 8
timeout = int(os.environ.get("GUNICORN_TIMEOUT", "60"))
graceful_timeout = 30
keepalive = 5
max_requests, max_requests_jitter = 1000, 50
"""
timeout = 9
"""
def post_fork(server, worker):
    timeout = 5
