import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const py = (text: string) => imported({ 'web/gunicorn.conf.py': text })
const limit = (text: string) => py(text).operation('web.request')?.limits?.requestMs?.value

describe('gunicorn', () => {
  it('limits a request where workers are sync, to 30 s unless it is told otherwise', () => {
    expect(limit('workers = 4\ntimeout = 60\n')).toBe(60_000)
    expect(limit('workers = 4\n')).toBe(30_000)
    expect(limit('timeout = 2 * 60  # two minutes\n')).toBe(120_000)
    expect(limit('timeout = 0\n')).toBe('none')
  })

  it('limits a worker alone where it is busy with several', () => {
    for (const text of [
      'worker_class = "gevent"\ntimeout = 20\n',
      'threads = 4\ntimeout = 20\n',
      "worker_class = 'uvicorn.workers.UvicornWorker'\ntimeout = 20\n",
    ]) {
      expect(limit(text)).toBeUndefined()
      expect(py(text).notes).toEqual(['ignored: gunicorn timeout limits a worker, and a request only where workers are sync'])
    }
  })

  it('works on as many requests as workers, times their threads or connections', () => {
    const slots = (text: string) => py(text).service('web')?.concurrency
    expect(slots('workers = 4\n')?.value).toBe(4)
    expect(slots('workers = 4\nthreads = 8\n')).toMatchObject({ value: 32, worked: '4 workers x 8 threads' })
    expect(slots('workers = 2\nworker_class = "gevent"\n')).toMatchObject({ value: 2000, worked: '2 workers x 1000 connections' })
    expect(slots('workers = 2\nworker_class = "uvicorn.workers.UvicornWorker"\n')).toBeUndefined()
    expect(slots('')).toMatchObject({ value: 1, origin: { kind: 'default', product: 'gunicorn' } })
  })

  it('keeps idle connections for 2 s unless it is told, and none where workers are sync', () => {
    const idle = (text: string) => py(text).service('web')?.keepAlive?.idleMs
    expect(idle('threads = 4\n')).toMatchObject({ value: 2000, origin: { kind: 'default', setting: 'keepalive' } })
    expect(idle('threads = 4\nkeepalive = 75\n')?.value).toBe(75_000)
    expect(idle('keepalive = 75\n')).toBeUndefined()
  })

  it('knows the default of a look-up in the environment, and nothing of what is worked out at run time', () => {
    const { notes, operation } = py('import os\ntimeout = int(os.environ.get("GUNICORN_TIMEOUT", "45"))\nworkers = 2\n')
    expect(operation('web.request')?.limits?.requestMs?.value).toBe(45_000)
    expect(notes).toEqual(['unknown: timeout: taken as 45, the default; who starts it may set another in the environment'])
    const counted = py('import multiprocessing\nworkers = multiprocessing.cpu_count() * 2 + 1\n')
    expect(counted.service('web')?.concurrency?.value).toBe('unknown')
  })

  it('takes nothing from comments, from functions, and from other variables', () => {
    const { notes, operation } = py('# timeout = 1\ngraceful_timeout = 10\nsession_ttl = 5\ndef on_starting(server):\n    timeout = 3\n')
    expect(operation('web.request')?.limits?.requestMs?.value).toBe(30_000)
    expect(notes).toEqual(['ignored: graceful_timeout limits how long a restart waits, no request'])
  })

  it('lets the command line hold over the file, and the file over WEB_CONCURRENCY', () => {
    const run = (command: string, file: string) =>
      imported({
        'compose.yaml': `services:\n  api:\n    build: ./api\n    command: ${command}\n    environment: { WEB_CONCURRENCY: 9 }\n`,
        'api/gunicorn.conf.py': file,
      })
    expect(run('gunicorn app:app', 'workers = 3\ntimeout = 50\n').service('api')?.concurrency?.value).toBe(3)
    expect(run('gunicorn app:app', 'timeout = 50\n')).toMatchObject({ edges: [] })
    expect(run('gunicorn app:app', 'timeout = 50\n').service('api')?.concurrency?.value).toBe(9)
    expect(run('gunicorn app:app', 'timeout = 50\n').operation('api.request')?.limits?.requestMs?.value).toBe(50_000)
    expect(run('gunicorn -w 5 -t 7 app:app', 'workers = 3\ntimeout = 50\n').operation('api.request')?.limits?.requestMs?.value).toBe(7000)
    expect(run('gunicorn app:app', 'worker_class = "gevent"\ntimeout = 50\n').operation('api.request')?.limits).toBeUndefined()
  })

  it('is found behind nginx by its socket or port', () => {
    const nginx = (to: string) => `server { listen 80; location / { proxy_pass http://${to}; } }`
    const edge = (bind: string, to: string) =>
      imported({ 'nginx.conf': nginx(to), 'shop/gunicorn.conf.py': `bind = ${bind}\nworkers = 2\n` }).edges
    expect(edge("'unix:/run/gunicorn.sock'", 'unix:/run/gunicorn.sock')).toEqual(['nginx.request -> shop.request'])
    expect(edge('"0.0.0.0:8001"', '127.0.0.1:8001')).toEqual(['nginx.request -> shop.request'])
    expect(edge('["127.0.0.1:9000", "unix:/run/g.sock"]', '127.0.0.1:8000')).not.toEqual(['nginx.request -> shop.request'])
  })

  it('reads any text without an error', () => {
    const words = ['timeout', ' = ', '\n', '"', "'", '#', 'os.environ.get(', ')', ',', '5', '*', '+', 'workers', '[', ']', ': int', '(']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(py(parts.join('')).chain).toBeDefined()
      }),
    )
  })
})
