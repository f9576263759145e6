import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const ini = (text: string) => imported({ 'shop/uwsgi.ini': text })

describe('uwsgi', () => {
  it('ends a request with harakiri, and works on processes x threads at once', () => {
    const { operation, service } = ini('[uwsgi]\nmaster = true\nprocesses = 4\nthreads = 2\nharakiri = 30\n')
    expect(operation('shop.request')?.limits?.requestMs?.value).toBe(30_000)
    expect(service('shop')?.concurrency).toMatchObject({ value: 8, worked: '4 processes x 2 threads' })
  })

  it('ends nothing unless it is told, and works on one request', () => {
    const { operation, service } = ini('[uwsgi]\nmodule = app\n# harakiri = 10\n;harakiri = 20\n')
    expect(operation('shop.request')?.limits).toBeUndefined()
    expect(service('shop')?.concurrency).toMatchObject({ value: 1, origin: { kind: 'default', product: 'uwsgi' } })
  })

  it('takes the digits a time begins with: 5m is 5 s', () => {
    const { operation, dead } = ini('[uwsgi]\nharakiri = 5m\n')
    expect(operation('shop.request')?.limits?.requestMs?.value).toBe(5000)
    expect(dead).toEqual([{ setting: 'harakiri', written: '5m', effective: '5 s', line: 2 }])
  })

  it('puts in what is set above, and leaves the environment unknown', () => {
    expect(ini('[uwsgi]\nlimit = 20\nharakiri = %(limit)\nworkers = 3\n').operation('shop.request')?.limits?.requestMs?.value).toBe(20_000)
    expect(ini('[uwsgi]\nharakiri = $(HARAKIRI)\n').operation('shop.request')?.limits?.requestMs?.value).toBe('unknown')
  })

  it('says of the timers of its router and of jobs that they end no work', () => {
    expect(ini('[uwsgi]\nhttp = :8000\nhttp-timeout = 10\nsocket_timeout = 5\nspooler-harakiri = 600\n').notes).toEqual([
      "ignored: http-timeout ends the wait of uWSGI's own HTTP router; the worker goes on until harakiri",
      'ignored: socket-timeout limits the gap between two parts of a request or an answer, not the work',
      'ignored: spooler-harakiri limits spooled jobs, no request',
    ])
  })

  it('keeps idle connections of its router where it is told', () => {
    expect(ini('[uwsgi]\nhttp = :8000\nhttp-keepalive = 75\n').service('shop')?.keepAlive?.idleMs?.value).toBe(75_000)
    expect(ini('[uwsgi]\nhttp = :8000\n').service('shop')?.keepAlive).toBeUndefined()
  })

  it('is found behind nginx by its socket', () => {
    const { edges, call } = imported({
      'nginx.conf':
        'server { listen 80; location / { include uwsgi_params; uwsgi_read_timeout 10s; uwsgi_pass unix:///var/run/shop.sock; } }',
      'shop/uwsgi.ini': '[uwsgi]\nsocket = /run/shop.sock\nharakiri = 60\n',
    })
    expect(edges).toEqual(['nginx.request -> shop.request'])
    expect(call('nginx.request -> shop.request')?.silenceMs?.value).toBe(10_000)
  })

  it('takes the flags of a command, and the file it names', () => {
    const run = (command: string) =>
      imported({
        'compose.yaml': `services:\n  api:\n    build: .\n    command: ${command}\n  other:\n    build: ./x\n`,
        'conf/app.ini': '[uwsgi]\nharakiri = 40\nprocesses = 2\n',
      })
    expect(
      run('uwsgi --http :8000 --harakiri 15 --processes 3 --wsgi-file app.py').operation('api.request')?.limits?.requestMs?.value,
    ).toBe(15_000)
    expect(run('uwsgi --ini /srv/conf/app.ini').operation('api.request')?.limits?.requestMs?.value).toBe(40_000)
    expect(run('uwsgi --ini conf/app.ini').service('api')?.concurrency?.value).toBe(2)
  })

  it('reads any text without an error', () => {
    const words = ['[uwsgi]', '\n', '=', ' ', 'harakiri', '%(', ')', '$(X)', '5', 'm', '#', ';', 'processes', '[x]']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(ini(`[uwsgi]\n${parts.join('')}`).chain).toBeDefined()
      }),
    )
  })
})
