import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { importSources } from '../src/importers/import-sources.js'
import type { Service } from '../src/model/chain.js'
import { linkChain } from '../src/model/link.js'

/**
 * What the importers say of a server's config, compared with what the server itself makes of it.
 * Runs where the programs are installed (`apt-get install postgresql mariadb-server redis-server pgbouncer gunicorn php-fpm`); elsewhere
 * it is skipped, and says so.
 */
const work = mkdtempSync(join(tmpdir(), 'sandglass-servers-'))
chmodSync(work, 0o777)
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Databases refuse to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** What a program prints, on both its outputs, and whether it was content. */
function output(program: string, args: readonly string[]): { readonly ok: boolean; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL', ...nobody })
  return { ok: status === 0, text: `${stdout ?? ''}${stderr ?? ''}` }
}

function installed(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => !output(program, ['--version']).ok && !output(program, ['-v']).ok)
  if (missing.length > 0) console.warn(`SKIPPED: ${missing.join(', ')} is not installed, so nothing here compares the importer with it`)
  return missing.length === 0
}

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(work, name)
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o777)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

async function eventually(ask: () => string | null): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = ask()
    if (answer !== null) return answer
    await sleep(50)
  }
  throw new Error('the server did not answer within 20 s')
}

function services(files: Readonly<Record<string, string>>): ReadonlyMap<string, Service> {
  return linkChain([importSources(Object.entries(files).map(([file, text]) => ({ file, text }))).file]).chain.services
}

function only(files: Readonly<Record<string, string>>): Service {
  const [first] = services(files).values()
  if (!first) throw new Error('no service')
  return first
}

const limitsOf = (service: Service) => [...service.operations.values()][0]?.limits

describe.skipIf(!installed('postgres'))('postgresql', () => {
  /** What `postgres -C` prints of a file: ms for the times, without starting. */
  const server = (text: string, setting: string) => {
    const { ok, text: printed } = output('postgres', ['-C', setting, '-D', folder('pg', { 'postgresql.conf': text })])
    return { ok, text: printed.split('\n')[0] ?? '' }
  }

  it('has the times the importer has, and refuses those it refuses', { timeout: 60_000 }, () => {
    const times = [
      '0',
      '5000',
      '5s',
      "'5s'",
      "'5 s'",
      '1min',
      '1.5s',
      '90ms',
      '1h',
      '1d',
      '5sec',
      '5S',
      '1m',
      '2us',
      "'30 min'",
      '1min30s',
      'five',
    ]
    const differing = times.filter((time) => {
      const asked = server(`statement_timeout = ${time}\n`, 'statement_timeout')
      const value = limitsOf(only({ 'postgresql.conf': `statement_timeout = ${time}\nwork_mem = 4MB\n` }))?.statementMs?.value
      if (!asked.ok) return value !== undefined
      return Number(asked.text.trim()) !== (value === 'none' ? 0 : Math.round(Number(value)))
    })
    expect(differing).toEqual([])
  })

  it('takes the lines the importer takes: names in any case, without =, quoted, the last of several', () => {
    for (const text of [
      'LOCK_TIMEOUT 7s\n',
      "lock_timeout='7s' # seven\n",
      'lock_timeout = 1s\n#lock_timeout = 2s\nlock_timeout = 7000\n',
      "  lock_timeout   =   '7s'\n",
    ]) {
      expect(server(text, 'lock_timeout').text.trim(), text).toBe('7000')
      expect(limitsOf(only({ 'postgresql.conf': `${text}work_mem = 4MB\n` }))?.lockMs?.value, text).toBe(7000)
    }
  })

  it('has the defaults of the table', () => {
    const conf = 'work_mem = 4MB\n'
    expect(server(conf, 'max_connections').text.trim()).toBe('100')
    expect(server(conf, 'superuser_reserved_connections').text.trim()).toBe('3')
    expect(only({ 'postgresql.conf': conf }).concurrency?.value).toBe(97)
  })
})

describe.skipIf(!installed('postgres', 'initdb', 'psql', 'pgbouncer'))('postgresql and pgbouncer, running', () => {
  const SQL = `CREATE ROLE app LOGIN;
CREATE ROLE report LOGIN;
CREATE DATABASE shop;
ALTER ROLE app SET statement_timeout = '5s';
ALTER DATABASE shop SET statement_timeout TO '9s';
ALTER DATABASE shop SET lock_timeout = 2000;
ALTER ROLE report IN DATABASE shop SET statement_timeout = '10min';
`

  it('gives each role and database the limits the importer gives it, and PgBouncer its pools and waits', { timeout: 120_000 }, async () => {
    const [port, pooled] = [await freePort(), await freePort()]
    const data = join(work, 'data')
    expect(output('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-N']).ok).toBe(true)
    const conf = `statement_timeout = 30s\nmax_connections = 50\nlisten_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\n`
    writeFileSync(join(data, 'postgresql.conf'), conf)
    const ini = `[databases]\nshop = host=127.0.0.1 port=${port} dbname=shop pool_size=7 reserve_pool=2\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${pooled}\nunix_socket_dir =\nauth_type = any\nadmin_users = admin\npool_mode = transaction\nmax_client_conn = 60\nquery_wait_timeout = 1.5\nserver_idle_timeout = 90\n`
    const running = [spawn('postgres', ['-D', data], { stdio: 'ignore', ...nobody })]
    const psql = (at: number, user: string, database: string, sql: string) =>
      output('psql', ['-h', '127.0.0.1', '-p', String(at), '-U', user, '-Atc', sql, database])
    try {
      await eventually(() => (psql(port, 'postgres', 'postgres', 'SELECT 1').ok ? '' : null))
      for (const statement of SQL.split('\n').filter((line) => line !== ''))
        expect(psql(port, 'postgres', 'postgres', statement).ok, statement).toBe(true)
      const compose = (user: string, database: string) =>
        services({
          'compose.yaml': `services:\n  pg:\n    image: postgres:15\n    volumes: ["./postgresql.conf:/etc/postgresql.conf", "./init.sql:/docker-entrypoint-initdb.d/init.sql"]\n  web: { image: web, environment: { DATABASE_URL: "postgres://${user}@pg:${port}/${database}" } }\n`,
          'postgresql.conf': conf,
          'init.sql': SQL,
        })
      for (const [user, database] of [
        ['app', 'shop'],
        ['app', 'postgres'],
        ['report', 'shop'],
        ['report', 'postgres'],
      ] as const) {
        const chain = compose(user, database)
        const callee = [...(chain.get('web')?.operations.values() ?? [])][0]?.calls[0]?.callee
        const said = ['statement_timeout', 'lock_timeout'].map((name) =>
          Number(psql(port, user, database, `SELECT setting FROM pg_settings WHERE name = '${name}'`).text.trim()),
        )
        const read = [callee?.limits?.statementMs?.value, callee?.limits?.lockMs?.value ?? 0]
        expect({ user, database, read }).toEqual({ user, database, read: said })
      }
      expect(psql(port, 'app', 'shop', 'SHOW max_connections').text.trim()).toBe('50')
      expect(compose('app', 'shop').get('pg')?.concurrency?.value).toBe(47)

      running.push(spawn('pgbouncer', [join(folder('pgb', { 'pgbouncer.ini': ini }), 'pgbouncer.ini')], { stdio: 'ignore', ...nobody }))
      const show = (what: string) => psql(pooled, 'admin', 'pgbouncer', `SHOW ${what}`)
      const config = new Map(
        (await eventually(() => (show('CONFIG').ok ? show('CONFIG').text : null)))
          .split('\n')
          .map((line) => [line.split('|')[0], line.split('|')[1]]),
      )
      const pooler = only({ 'pgbouncer.ini': ini })
      const call = [...pooler.operations.values()][0]?.calls[0]
      expect(call?.queue?.totalMs?.value).toBe(Number(config.get('query_wait_timeout')) * 1000)
      expect(call?.connectMs?.value).toBe(Number(config.get('server_connect_timeout')) * 1000)
      expect(call?.keepAliveMs?.value).toBe(Number(config.get('server_idle_timeout')) * 1000)
      expect(pooler.concurrency?.value).toBe(Number(config.get('max_client_conn')))
      const database = show('DATABASES')
        .text.split('\n')
        .find((line) => line.startsWith('shop|'))
        ?.split('|')
      expect(pooler.pools.get('shop')?.value).toBe(Number(database?.[5]) + Number(database?.[7]))
    } finally {
      for (const each of running) each.kill('SIGKILL')
    }
  })
})

describe.skipIf(!installed('pgbouncer'))('pgbouncer', () => {
  it('refuses the units the importer refuses', { timeout: 60_000 }, () => {
    const differing = ['1', '1.5', '0', '60s', '1m', '5 ; five', ''].filter((time) => {
      // A socket folder that is not there ends it after its settings were read.
      const text = `[databases]\n* = host=127.0.0.1\n[pgbouncer]\nlisten_addr = 256.0.0.1\nauth_type = any\nquery_wait_timeout = ${time}\nunix_socket_dir = ${work}/none\n`
      const path = join(folder('pgb-units', { 'pgbouncer.ini': text }), 'pgbouncer.ini')
      const isRefused = /invalid value/.test(output('pgbouncer', [path]).text)
      const { deadSettings = [] } = importSources([{ file: 'pgbouncer.ini', text }]).file
      return isRefused !== deadSettings.length > 0
    })
    expect(differing.filter((time) => time !== '')).toEqual([])
  })
})

describe.skipIf(!installed('mariadbd'))('mariadb', () => {
  const help = (text: string) =>
    output('mariadbd', [`--defaults-file=${join(folder('maria', { 'my.cnf': text }), 'my.cnf')}`, '--verbose', '--help'])
  const variable = (text: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(help(text).text)?.[1]

  it('has the variables the importer has: of its own groups, - and _ as one, the last of several', { timeout: 60_000 }, () => {
    const text =
      '[client]\nwait_timeout = 1\n[mysqld]\nmax_connections = 10\nwait-timeout = 600 # ten minutes\n[mariadb]\nmax-connections = 300\nmax_statement_time = 2.5\n[server]\ninnodb_lock_wait_timeout = "7"\n[mysqldump]\nmax_connections = 9\n'
    const service = only({ 'my.cnf': text })
    expect(service.concurrency?.value).toBe(Number(variable(text, 'max-connections')))
    expect(service.keepAlive?.idleMs?.value).toBe(Number(variable(text, 'wait-timeout')) * 1000)
    expect(limitsOf(service)?.lockMs?.value).toBe(Number(variable(text, 'innodb-lock-wait-timeout')) * 1000)
    expect(limitsOf(service)?.statementMs?.value).toBe(Number(variable(text, 'max-statement-time')) * 1000)
  })

  it('has the defaults of the table, and does not know what is MySQL’s', { timeout: 60_000 }, () => {
    const text = '[mariadb]\nskip-log-bin\n'
    const service = only({ 'my.cnf': text })
    expect([service.concurrency?.value, service.keepAlive?.idleMs?.value, limitsOf(service)?.lockMs?.value]).toEqual([
      Number(variable(text, 'max-connections')),
      Number(variable(text, 'wait-timeout')) * 1000,
      Number(variable(text, 'innodb-lock-wait-timeout')) * 1000,
    ])
    expect(help('[mariadb]\nmax_execution_time = 3000\n').text).toMatch(/unknown variable 'max_execution_time/)
    expect(help('[mariadb]\nwait_timeout = 600s\n').text).toMatch(/Unknown suffix 's'/)
  })
})

describe.skipIf(!installed('redis-server', 'redis-cli'))('redis', () => {
  it('says of its config what the importer says', { timeout: 30_000 }, async () => {
    const port = await freePort()
    const text = `PORT ${port}\ntimeout 10\nTimeout "300"\n# timeout 5\nmaxclients 500\nsave ""\n`
    const path = join(folder('redis', { 'redis.conf': text }), 'redis.conf')
    const running = spawn('redis-server', [path, '--bind', '127.0.0.1', '--dir', work], { stdio: 'ignore', ...nobody })
    const get = (name: string) => {
      const { ok, text: printed } = output('redis-cli', ['-p', String(port), 'CONFIG', 'GET', name])
      return ok ? (printed.split('\n')[1] ?? null) : null
    }
    try {
      const idle = await eventually(() => get('timeout'))
      const service = only({ 'redis.conf': text })
      expect(service.keepAlive?.idleMs?.value).toBe(Number(idle) * 1000)
      expect(service.concurrency?.value).toBe(Number(get('maxclients')))
    } finally {
      running.kill('SIGKILL')
    }
  })

  it('refuses the units the importer refuses', () => {
    const refused = (time: string) =>
      /FATAL CONFIG FILE ERROR/.test(
        output('redis-server', [join(folder('redis-bad', { 'redis.conf': `timeout ${time}\nbind 256.0.0.1\nport 0\n` }), 'redis.conf')])
          .text,
      )
    for (const time of ['5m', '1.5', '30s']) {
      expect(refused(time), time).toBe(true)
      expect(importSources([{ file: 'redis.conf', text: `timeout ${time}\n` }]).file.deadSettings, time).toHaveLength(1)
    }
  })
})

describe.skipIf(!installed('gunicorn'))('gunicorn', () => {
  const program = (text: string, args: readonly string[] = []) => {
    const { text: printed } = output('gunicorn', [
      '--print-config',
      '-c',
      join(folder('gunicorn', { 'gunicorn.conf.py': text }), 'gunicorn.conf.py'),
      ...args,
      'app:app',
    ])
    return new Map([...printed.matchAll(/^(\w+) += (.*)$/gm)].map(([, name, value]) => [name, value]))
  }

  it('makes of a file what the importer makes of it', { timeout: 60_000 }, () => {
    for (const text of [
      'workers = 3\ntimeout = 45\n',
      'import os\nworkers = 2 * 4\nthreads = 5\nkeepalive = 75\n',
      '# workers = 9\nworkers = int(os.environ.get("NOBODY_SETS_THIS", "6"))\ntimeout = 1_000\n'.replace(
        '# workers',
        'import os\n# workers',
      ),
      'worker_class = "gevent"\nworker_connections = 200\n',
      '',
    ]) {
      const config = program(text)
      const service = only({ 'web/gunicorn.conf.py': text })
      const [workers, threads] = [Number(config.get('workers')), Number(config.get('threads'))]
      const isAsync = config.get('worker_class') === 'gevent'
      const slots = workers * (isAsync ? Number(config.get('worker_connections')) : threads)
      expect(service.concurrency?.value, text).toBe(slots)
      expect(limitsOf(service)?.requestMs?.value, text).toBe(isAsync || threads > 1 ? undefined : Number(config.get('timeout')) * 1000)
      if (threads > 1) expect(service.keepAlive?.idleMs?.value, text).toBe(Number(config.get('keepalive')) * 1000)
    }
  })

  it('lets the command line hold over the file', { timeout: 30_000 }, () => {
    const config = program('workers = 3\ntimeout = 45\n', ['-w', '5', '--timeout=7'])
    const service = only({
      'compose.yaml': 'services:\n  api: { build: ., command: "gunicorn -w 5 --timeout=7 app:app" }\n',
      'gunicorn.conf.py': 'workers = 3\ntimeout = 45\n',
    })
    expect([service.concurrency?.value, limitsOf(service)?.requestMs?.value]).toEqual([
      Number(config.get('workers')),
      Number(config.get('timeout')) * 1000,
    ])
  })
})

const PHP = ['php-fpm', 'php-fpm8.2', 'php-fpm8.3', 'php-fpm8.4'].find((program) => output(program, ['-v']).ok)

describe.skipIf(PHP === undefined && !installed('php-fpm'))('php-fpm', () => {
  it('makes of a time what the importer makes of it, odd ones too', { timeout: 60_000 }, () => {
    for (const time of ['30', '30s', '2m', '1h', '1d', '"45s"', '0', '500ms', '1m30s', '1.5m', '20 ; twenty']) {
      const text = `[global]\nerror_log = ${work}/fpm.log\n[www]\nuser = nobody\nlisten = 127.0.0.1:9123\npm = static\npm.max_children = 4\nrequest_terminate_timeout = ${time}\n`
      const { text: printed } = output(PHP ?? 'php-fpm', ['-tt', '-y', join(folder('fpm', { 'www.conf': text }), 'www.conf')])
      const seconds = Number(/request_terminate_timeout = (\d+)s/.exec(printed)?.[1])
      const service = only({ 'shop/www.conf': text })
      const value = limitsOf(service)?.requestMs?.value
      expect(value === 'none' || value === undefined ? 0 : value, time).toBe(seconds * 1000)
      expect(service.concurrency?.value).toBe(4)
    }
  })

  it('refuses the ends of times the importer refuses', { timeout: 30_000 }, () => {
    for (const time of ['7S', '30sec', '2 min']) {
      const text = `[global]\nerror_log = ${work}/fpm.log\n[www]\nuser = nobody\nlisten = 127.0.0.1:9123\npm = static\npm.max_children = 4\nrequest_terminate_timeout = ${time}\n`
      expect(output(PHP ?? 'php-fpm', ['-tt', '-y', join(folder('fpm', { 'www.conf': text }), 'www.conf')]).text, time).toMatch(
        /unknown suffix/,
      )
      expect(limitsOf(only({ 'shop/www.conf': text })), time).toBeUndefined()
    }
  })
})
