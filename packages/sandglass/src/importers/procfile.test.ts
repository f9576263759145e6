import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const proc = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'shop/Procfile': text, ...more })

describe('Procfile', () => {
  it('says how the server of the web process runs', () => {
    const { service, operation } = proc(
      'web: gunicorn -w 3 --timeout 25 app:app --log-file -\nworker: celery -A app worker\nrelease: python manage.py migrate\n',
    )
    expect(operation('shop.request')?.limits?.requestMs?.value).toBe(25_000)
    expect(service('shop')?.concurrency?.value).toBe(3)
    expect(service('shop-worker')).toBeUndefined()
  })

  it('knows uvicorn: no limit of a request, 5 s for an idle connection, processes of WEB_CONCURRENCY', () => {
    const { service, operation } = proc('web: WEB_CONCURRENCY=4 uvicorn app:app --host 0.0.0.0 --port $PORT --limit-concurrency 50\n')
    expect(operation('shop.request')?.limits).toBeUndefined()
    expect(service('shop')).toMatchObject({
      keepAlive: { idleMs: { value: 5000, origin: { kind: 'default', product: 'uvicorn' } } },
      concurrency: { value: 200, worked: '4 processes x 50' },
    })
    expect(proc('web: python -m uvicorn app:app --timeout-keep-alive=75\n').service('shop')?.keepAlive?.idleMs?.value).toBe(75_000)
  })

  it('reads the config file beside it, and takes what a shell starts last', () => {
    const more = { 'shop/gunicorn.conf.py': 'workers = 7\ntimeout = 90\n' }
    expect(proc('web: gunicorn app:app\n', more).operation('shop.request')?.limits?.requestMs?.value).toBe(90_000)
    expect(proc('web: python manage.py migrate && gunicorn -t 12 app:app\n').operation('shop.request')?.limits?.requestMs?.value).toBe(
      12_000,
    )
  })
})

describe('Dockerfile', () => {
  it('says what an image starts: the last CMD, in either form', () => {
    const cmd = (text: string) => imported({ 'api/Dockerfile': text }).operation('api.request')?.limits?.requestMs?.value
    expect(cmd('FROM python:3\nCMD ["gunicorn", "-w", "2", "--timeout=15", "app:app"]\n')).toBe(15_000)
    expect(cmd('FROM python:3\nCMD gunicorn \\\n  --timeout 20 \\\n  app:app\n')).toBe(20_000)
    expect(cmd('FROM python:3\nCMD ["gunicorn", "-t", "1", "x"]\nCMD ["sh", "-c", "exec gunicorn -t 9 app:app"]\n')).toBe(9000)
    expect(
      cmd(
        'FROM python:3 AS build\nCMD ["gunicorn", "-t", "1", "x"]\nFROM python:3\nENV GUNICORN_CMD_ARGS="--timeout 33 -w 4"\nENTRYPOINT ["gunicorn"]\nCMD ["app:app"]\n',
      ),
    ).toBe(33_000)
  })

  it('is that of the compose service that is built from it, unless that has a command of its own', () => {
    const files = (command: string) => ({
      'compose.yaml': `services:\n  web:\n    build: ./api\n${command}    environment: { WEB_CONCURRENCY: 5 }\n  other:\n    build: ./other\n`,
      'api/Dockerfile': 'FROM python:3\nENV WEB_CONCURRENCY=2\nCMD ["gunicorn", "--timeout", "120", "app:app"]\n',
    })
    const built = imported(files(''))
    expect(built.operation('web.request')?.limits?.requestMs?.value).toBe(120_000)
    expect(built.service('web')?.concurrency?.value).toBe(5)
    const own = imported(files('    command: gunicorn app:app\n'))
    expect(own.operation('web.request')?.limits?.requestMs).toMatchObject({ value: 30_000, origin: { kind: 'default' } })
    expect(own.service('api')).toBeUndefined()
  })

  it('reads any text without an error', () => {
    const words = [
      'FROM x',
      'CMD ',
      'ENTRYPOINT ',
      'ENV ',
      '[',
      ']',
      '"',
      "'",
      'gunicorn',
      ' ',
      '\n',
      '\\\n',
      '-w',
      '5',
      '=',
      'A',
      'web: ',
      ',',
      '&&',
    ]
    fc.assert(
      fc.property(fc.constantFrom('Procfile', 'Dockerfile'), fc.array(fc.constantFrom(...words), { maxLength: 40 }), (file, parts) => {
        expect(imported({ [`a/${file}`]: `web: gunicorn\n${parts.join('')}` }).chain).toBeDefined()
      }),
    )
  })
})
