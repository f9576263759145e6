import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importSources } from '../src/importers/import-sources.js'
import { type DurationDialect, parseDuration } from '../src/importers/parse-duration.js'
import { linkChain } from '../src/model/link.js'

/**
 * What the importers say, compared with what the programs do: which times they accept, when they give up, how often they try.
 * Runs where nginx and haproxy are installed (`apt-get install nginx-light haproxy`); elsewhere it is skipped, and says so.
 */
const work = mkdtempSync(join(tmpdir(), 'sandglass-proxies-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`SKIPPED: ${program} is not installed, so nothing here compares the importer with it`)
    return false
  }
}

function accepts(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const TEXTS = [
  '0',
  '1',
  '90',
  '500ms',
  '1s',
  '1m',
  '1h',
  '1d',
  '1w',
  '1M',
  '1y',
  '1us',
  '1.5s',
  '1m30s',
  '1m30',
  '30s1m',
  '1s1s',
  '1S',
  '5 s',
  's',
  '-1',
  '1ms1s',
  '60sec',
  '1h1m1s1ms',
]

/** A peer that takes requests and never answers, and how many it took. */
async function hungPeer(): Promise<{ server: Server; port: number; taken: () => number }> {
  let taken = 0
  const server = createServer(() => {
    taken++
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, port: (server.address() as AddressInfo).port, taken: () => taken }
}

async function freePort(): Promise<number> {
  const { server, port } = await hungPeer()
  await new Promise((done) => server.close(done))
  return port
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}

/** The status of a request through the proxy, and how long it took in ms. */
async function ask(port: number): Promise<{ status: number; tookMs: number }> {
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/`)
  await response.arrayBuffer()
  return { status: response.status, tookMs: performance.now() - startedAt }
}

interface Limits {
  readonly silenceMs: number
  readonly attempts: number
}

function importedLimits(file: string, text: string): Limits {
  const { chain } = linkChain([importSources([{ file, text }]).file])
  const [call] = chain.calls
  return { silenceMs: Number(call?.silenceMs?.value), attempts: Number(call?.attempts.value) }
}

describe.skipIf(!isInstalled('nginx'))('nginx', () => {
  const nginxConf = (inner: string, port: number) =>
    `daemon off; master_process off; pid ${work}/nginx.pid; error_log ${work}/error.log; events {}\nhttp { access_log off; client_body_temp_path ${work}/a; proxy_temp_path ${work}/b; fastcgi_temp_path ${work}/c; uwsgi_temp_path ${work}/d; scgi_temp_path ${work}/e;\n${inner.replaceAll('PORT', String(port))}\n}\n`

  it('takes the times the importer takes, and no others', { timeout: 60_000 }, () => {
    const differing = (dialect: DurationDialect, inner: (text: string) => string) =>
      TEXTS.filter((text) => {
        const file = join(work, 'accepts.conf')
        writeFileSync(file, nginxConf(inner(text), 1))
        return accepts('nginx', ['-t', '-p', work, '-c', file]) !== parseDuration(text, dialect).ok
      })
    expect(
      differing(
        'nginx',
        (text) => `server { listen 127.0.0.1:PORT; location / { proxy_read_timeout "${text}"; proxy_pass http://127.0.0.1:2; } }`,
      ),
    ).toEqual([])
    expect(
      differing(
        'nginx-seconds',
        (text) =>
          `upstream u { server 127.0.0.1:2 "fail_timeout=${text}"; } server { listen 127.0.0.1:PORT; location / { proxy_pass http://u; } }`,
      ),
    ).toEqual([])
  })

  const peers: Awaited<ReturnType<typeof hungPeer>>[] = []
  beforeAll(async () => {
    peers.push(await hungPeer(), await hungPeer())
  })
  afterAll(() => {
    for (const { server } of peers) {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each([
    ['gives up after the silence of the location', 'proxy_read_timeout 9s;', 'proxy_read_timeout 300ms;', '', 1],
    ['gives up after the silence it inherits', 'proxy_read_timeout 400ms;', '', '', 1],
    ['tries each peer once', 'proxy_read_timeout 300ms;', '', 'both', 2],
    ['tries as often as it is told', 'proxy_read_timeout 300ms;', 'proxy_next_upstream_tries 1;', 'both', 1],
    ['does not repeat what it is told not to', 'proxy_read_timeout 300ms;', 'proxy_next_upstream off;', 'both', 1],
  ])('%s', { timeout: 20_000 }, async (_, http, location, upstream, attempts) => {
    const port = await freePort()
    const [a, b] = peers
    const servers = `server 127.0.0.1:${a?.port};${upstream === 'both' ? ` server 127.0.0.1:${b?.port};` : ''}`
    const inner = `${http} upstream u { ${servers} } server { listen 127.0.0.1:PORT; location / { ${location} proxy_pass http://u; } }`
    const limits = importedLimits('nginx.conf', inner.replaceAll('PORT', String(port)))
    const file = join(work, `run-${port}.conf`)
    writeFileSync(file, nginxConf(inner, port))
    const running = spawn('nginx', ['-p', work, '-c', file], { stdio: 'ignore' })
    try {
      await untilOpen(port)
      const before = peers.map(({ taken }) => taken())
      const { status, tookMs } = await ask(port)
      const tries = peers.reduce((sum, { taken }, index) => sum + taken() - (before[index] ?? 0), 0)
      expect(status).toBe(504)
      expect(limits.attempts).toBe(attempts)
      expect(tries).toBe(limits.attempts)
      expect(tookMs).toBeGreaterThanOrEqual(limits.silenceMs * limits.attempts - 20)
      expect(tookMs).toBeLessThan(limits.silenceMs * limits.attempts + 2000)
    } finally {
      running.kill('SIGKILL')
    }
  })
})

describe.skipIf(!isInstalled('haproxy'))('haproxy', () => {
  const haproxyCfg = (lines: string, port: number, peer: number) =>
    `defaults\n  mode http\n  timeout client 20s\n  timeout connect 1s\n${lines}\nlisten a\n  bind 127.0.0.1:${port}\n  server s 127.0.0.1:${peer}\n`

  it('takes every time the importer takes, and the importer has a value for each it takes', { timeout: 60_000 }, () => {
    const differing = TEXTS.filter((text) => {
      const cfg = haproxyCfg(`  timeout server "${text}"`, 1, 2)
      const file = join(work, 'accepts.cfg')
      writeFileSync(file, cfg)
      const isAccepted = accepts('haproxy', ['-c', '-f', file])
      const { silenceMs } = importedLimits('haproxy.cfg', cfg)
      // Of a time with two units, versions differ: refused, or its first part taken.
      return isAccepted ? Number.isNaN(silenceMs) && text !== '0' : parseDuration(text, 'haproxy').ok
    })
    expect(differing).toEqual([])
  })

  it.each([
    ['takes a bare number for milliseconds', '  timeout server 400', 1],
    ['repeats no slow answer by default', '  timeout server 300ms\n  retries 2', 1],
    ['repeats slow answers where it is told', '  timeout server 300ms\n  retries 2\n  retry-on response-timeout', 3],
  ])('%s', { timeout: 20_000 }, async (_, lines, tries) => {
    const [port, peer] = [await freePort(), await hungPeer()]
    const cfg = haproxyCfg(lines, port, peer.port)
    const file = join(work, `run-${port}.cfg`)
    writeFileSync(file, cfg)
    const { chain } = linkChain([importSources([{ file: 'haproxy.cfg', text: cfg }]).file])
    const [call] = chain.calls
    const expected = call?.retryOn?.value.includes('timeout') ? Number(call.attempts.value) : 1
    const running = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    try {
      await untilOpen(port)
      await sleep(100)
      const { status, tookMs } = await ask(port)
      const silenceMs = Number(call?.silenceMs?.value)
      expect(status).toBe(504)
      expect(expected).toBe(tries)
      expect(peer.taken()).toBe(expected)
      expect(tookMs).toBeGreaterThanOrEqual(silenceMs * expected - 20)
      expect(tookMs).toBeLessThan(silenceMs * expected + 3000)
    } finally {
      running.kill('SIGKILL')
      peer.server.closeAllConnections()
      peer.server.close()
    }
  })
})
