import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DurationDialect, parseDuration } from '../src/importers/parse-duration.js'
import { type Fault, type FaultyPeer, faultyPeer, freePort } from './faulty-peer.fixture.js'
import { haproxySamples, importedLimits, type Limits, nginxSamples, type Sample } from './proxy-samples.fixture.js'
import { accepts, ask, isInstalled, silentConnection, whileRunning } from './proxy-under-test.fixture.js'

/**
 * What the importers say, compared with what the programs do: which times they accept, when they give up, how often they try.
 * Runs where nginx and haproxy are installed (`apt-get install nginx-light libnginx-mod-stream haproxy`). Elsewhere it is skipped and says so; in CI it fails.
 */
const work = mkdtempSync(join(tmpdir(), 'sandglass-proxies-'))
const opened: FaultyPeer[] = []
afterAll(() => {
  for (const peer of opened) peer.close()
  rmSync(work, { recursive: true, force: true })
})

const isCi = process.env['CI'] === 'true'
/** A timer may fire a little early by the clock of another process, and late on a busy machine. */
const EARLY_MS = 25
const LATE_MS = 2500
const CASE = { timeout: 30_000 }

const TEXTS = [
  ...['0', '1', '90', '500ms', '1s', '1m', '1h', '1d', '1w', '1M', '1y', '1us', '1.5s', '1m30s', '1m30', '30s1m', '1s1s', '1S', '5 s', 's'],
  ...['-1', '1ms1s', '60sec', '1h1m1s1ms'],
]

/** CI must not pass because nothing was compared. */
function mustBeInstalled(program: string, is: boolean): void {
  if (!is) throw new Error(`${program} is not installed; in CI that is a failure, and tools/ci.mjs installs it`)
}

async function peersOf(faults: readonly Fault[]): Promise<readonly FaultyPeer[]> {
  const peers = await Promise.all(faults.map((fault) => faultyPeer(fault, work)))
  opened.push(...peers)
  return peers
}

function expectTook(tookMs: number, expectedMs: number): void {
  expect(expectedMs, 'the importer has a number for it').toBeGreaterThanOrEqual(0)
  expect(tookMs).toBeGreaterThanOrEqual(expectedMs - EARLY_MS)
  expect(tookMs).toBeLessThan(expectedMs + LATE_MS)
}

async function measure(sample: Sample, port: number, limits: Limits, peers: readonly FaultyPeer[]): Promise<void> {
  const { method, body, status, isCut = false } = sample
  const ending = await ask(port, { ...(method ? { method } : {}), ...(body ? { body } : {}) })
  expect({ status: ending.status, isCut: ending.isCut }).toEqual({ status, isCut })
  expectTook(ending.tookMs, sample.takes(limits))
  // On a busy machine a peer hears of its last request later than the proxy gives up.
  if (sample.tries) await vi.waitFor(() => expect(peers.reduce((sum, { taken }) => sum + taken(), 0)).toBe(sample.tries?.(limits)), LATE_MS)
}

const hasNginx = isInstalled('nginx')

describe.skipIf(!isCi && !hasNginx)('nginx', () => {
  beforeAll(() => mustBeInstalled('nginx', hasNginx))

  const nginxConf = (inner: string, port: number) =>
    `daemon off; master_process off; pid ${work}/${port}.pid; error_log ${work}/error.log; ${STREAM}\nevents {}\nhttp { access_log off; client_max_body_size 0; client_body_temp_path ${work}/a; proxy_temp_path ${work}/b; fastcgi_temp_path ${work}/c; uwsgi_temp_path ${work}/d; scgi_temp_path ${work}/e;\n${inner}\n}\n`
  const MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'
  const STREAM = existsSync(MODULE) ? `load_module ${MODULE};` : ''

  it('takes the times the importer takes, and no others', { timeout: 60_000 }, () => {
    const differing = (dialect: DurationDialect, inner: (text: string) => string) =>
      TEXTS.filter((text) => {
        const file = join(work, `accepts-${dialect}.conf`)
        writeFileSync(file, nginxConf(inner(text), 1))
        return accepts('nginx', ['-t', '-p', work, '-c', file]) !== parseDuration(text, dialect).ok
      })
    expect(
      differing(
        'nginx',
        (text) => `server { listen 127.0.0.1:1; location / { proxy_read_timeout "${text}"; proxy_pass http://127.0.0.1:2; } }`,
      ),
    ).toEqual([])
    expect(
      differing(
        'nginx-seconds',
        (text) =>
          `upstream u { server 127.0.0.1:2 "fail_timeout=${text}"; } server { listen 127.0.0.1:1; location / { proxy_pass http://u; } }`,
      ),
    ).toEqual([])
  })

  /** `---` parts what stands in http from what stands in the location. */
  async function run(sample: Sample, pass = 'proxy_pass http://u;'): Promise<void> {
    const [port, peers] = [await freePort(), await peersOf(sample.peers)]
    const [http = '', location = ''] = sample.config.split('---')
    const servers = peers.map((peer) => `server 127.0.0.1:${peer.port};`).join(' ')
    const inner = `${http} upstream u { ${servers} } server { listen 127.0.0.1:${port}; location / { ${location} ${pass} } }`
    const file = join(work, `nginx-${port}.conf`)
    writeFileSync(file, nginxConf(inner, port))
    await whileRunning('nginx', ['-p', work, '-c', file], port, () => measure(sample, port, importedLimits('nginx.conf', inner), peers))
  }

  it.concurrent.for(nginxSamples.map((sample) => [sample.title, sample] as const))('%s', CASE, ([, sample]) => run(sample))

  it.concurrent.for(['fastcgi', 'uwsgi', 'scgi', 'grpc', 'memcached'])('gives up after the silence of %s', CASE, (family) =>
    run(
      {
        title: family,
        peers: ['hang'],
        config: `${family}_read_timeout 9s; --- ${family}_read_timeout 300ms; ${family === 'memcached' ? 'set $memcached_key x;' : ''}`,
        status: 504,
        takes: ({ silenceMs }) => silenceMs,
        tries: ({ attempts }) => attempts,
      },
      `${family}_pass ${family === 'grpc' ? 'grpc://u' : 'u'};`,
    ),
  )

  it.skipIf(!isCi && STREAM === '')('closes a stream after the silence of proxy_timeout', CASE, async () => {
    const [port, [peer]] = [await freePort(), await peersOf(['hang'])]
    const text = `stream { server { listen 127.0.0.1:${port}; proxy_timeout 500ms; proxy_pass 127.0.0.1:${peer?.port}; } }`
    const file = join(work, `stream-${port}.conf`)
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${work}/${port}.pid; error_log ${work}/error.log; ${STREAM}\nevents {}\n${text}\n`,
    )
    const { silenceMs } = importedLimits('nginx.conf', text)
    await whileRunning('nginx', ['-p', work, '-c', file], port, async () => expectTook(await silentConnection(port), silenceMs))
  })
})

const hasHaproxy = isInstalled('haproxy')

describe.skipIf(!isCi && !hasHaproxy)('haproxy', () => {
  beforeAll(() => mustBeInstalled('haproxy', hasHaproxy))

  const haproxyCfg = (lines: string, port: number, servers: string) =>
    `defaults\n  mode http\n  timeout client 20s\n  timeout connect 1s\n${lines}\nlisten a\n  bind 127.0.0.1:${port}\n${servers}\n`

  it('takes every time the importer takes, and the importer has a value for each it takes', { timeout: 60_000 }, () => {
    const differing = TEXTS.filter((text) => {
      const cfg = haproxyCfg(`  timeout server "${text}"`, 1, '  server s 127.0.0.1:2')
      const file = join(work, 'accepts.cfg')
      writeFileSync(file, cfg)
      const isAccepted = accepts('haproxy', ['-c', '-f', file])
      const { silenceMs } = importedLimits('haproxy.cfg', cfg)
      // Of a time with two units, versions differ: refused, or its first part taken.
      return isAccepted ? Number.isNaN(silenceMs) && text !== '0' : parseDuration(text, 'haproxy').ok
    })
    expect(differing).toEqual([])
  })

  async function run(sample: Sample): Promise<void> {
    const [port, peers] = [await freePort(), await peersOf(sample.peers)]
    const servers = peers.map((peer, index) => `  server s${index} 127.0.0.1:${peer.port}`).join('\n')
    const cfg = haproxyCfg(sample.config, port, servers)
    const file = join(work, `haproxy-${port}.cfg`)
    writeFileSync(file, cfg)
    await whileRunning('haproxy', ['-db', '-f', file], port, () => measure(sample, port, importedLimits('haproxy.cfg', cfg), peers))
  }

  it.concurrent.for(haproxySamples.map((sample) => [sample.title, sample] as const))('%s', CASE, ([, sample]) => run(sample))

  it.concurrent.for([
    ['timeout queue', '  timeout queue 400ms'],
    ['timeout connect where no timeout queue is set', '  timeout connect 500ms'],
  ])('lets a request wait for a slot for %s', CASE, async ([, line]) => {
    const [port, [peer]] = [await freePort(), await peersOf(['hang'])]
    const cfg = haproxyCfg(`  timeout server 5s\n${line}`, port, `  server s 127.0.0.1:${peer?.port} maxconn 1`)
    const file = join(work, `haproxy-${port}.cfg`)
    writeFileSync(file, cfg)
    const { queueMs } = importedLimits('haproxy.cfg', cfg)
    await whileRunning('haproxy', ['-db', '-f', file], port, async () => {
      void ask(port)
      while (peer?.taken() === 0) await new Promise((done) => setTimeout(done, 10))
      const { status, tookMs } = await ask(port)
      expect(status).toBe(503)
      expectTook(tookMs, queueMs)
    })
  })

  it('closes a connection in tcp mode after the silence of timeout server', CASE, async () => {
    const [port, [peer]] = [await freePort(), await peersOf(['hang'])]
    const cfg = haproxyCfg('  mode tcp\n  timeout server 500ms', port, `  server s 127.0.0.1:${peer?.port}`)
    const file = join(work, `haproxy-${port}.cfg`)
    writeFileSync(file, cfg)
    const { silenceMs } = importedLimits('haproxy.cfg', cfg)
    await whileRunning('haproxy', ['-db', '-f', file], port, async () => expectTook(await silentConnection(port), silenceMs))
  })
})
