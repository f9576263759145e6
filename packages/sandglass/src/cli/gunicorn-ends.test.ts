import { expect, test } from 'vitest'
import { gunicornEnds } from './gunicorn-ends.js'
import { memorySystem } from './memory-system.fixture.js'

test('the command of the nearest Dockerfile says when gunicorn kills the worker that serves a file', () => {
  const from = (command: string) => `FROM python:3.9\nENV PORT=80\n${command}\n`
  const { folders } = memorySystem({
    'a/Dockerfile': from('CMD ["gunicorn", "app:app", "-b", "0.0.0.0:80", "--workers", "4"]'),
    'b/Dockerfile': from('CMD gunicorn --timeout 120 shop.web:create_app()'),
    'c/Dockerfile': from('CMD ["gunicorn", "app:app", "-k", "gevent"]'),
    'd/Dockerfile': from('CMD ["gunicorn", "app:app", "--threads", "4"]'),
    'e/Dockerfile': from('CMD ["gunicorn", "app:app", "-t", "0"]'),
    'f/Dockerfile': from('CMD ["gunicorn", "app:app"]'),
    'f/gunicorn.conf.py': 'timeout = 300',
    'g/Dockerfile': from('CMD ["python", "app.py"]'),
    'h/Dockerfile': from('ENV GUNICORN_CMD_ARGS="--timeout 9"\nCMD ["gunicorn", "app:app"]'),
  })
  const endOf = gunicornEnds(folders)
  expect(['a/app.py', 'a/app/__init__.py', 'a/worker.py', 'b/shop/web.py', 'b/web.py'].map(endOf)).toEqual([
    30_000,
    30_000,
    null,
    120_000,
    null,
  ])
  expect(['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((each) => endOf(`${each}/app.py`))).toEqual(Array.from({ length: 7 }, () => null))
})
