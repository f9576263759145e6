// What `.ci/run` runs. It must work right after a clone, so it uses nothing but Node and npm; in CI also apt-get, for the programs that importers are compared with.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'sandglass-ci-'))
const node24 = 'tools/nodes/node_modules/node24/bin/node'
const sum = { passed: 0, failed: 0, skipped: 0 }

/**
 * Runs one command with its output shown as it comes.
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function perform(name, command, args, env = {}) {
  console.log(`\n== ${name}`)
  const startedAt = performance.now()
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) console.error(error.message)
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : `ended with ${status ?? 'a signal'}`} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  )
  return status === 0
}

/** A step that ends badly without any test having failed is a failure of its own. */
function test(/** @type {string} */ name, /** @type {string} */ command, /** @type {readonly string[]} */ args) {
  const file = join(scratch, `${name.replaceAll(' ', '-')}.json`)
  const ok = perform(name, command, args, { SANDGLASS_COUNTS: file })
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }
  if (ok && counts.passed === 0) console.error(`${name}: no test ran`)
  sum.passed += counts.passed
  sum.skipped += counts.skipped
  sum.failed += counts.failed > 0 || (ok && counts.passed > 0) ? counts.failed : 1
}

function step(/** @type {string} */ name, /** @type {string} */ command, /** @type {readonly string[]} */ args) {
  const ok = perform(name, command, args)
  if (!ok) sum.failed++
  return ok
}

/** What the tests compare importers with: where it is, and the Debian packages that bring it. */
const PROGRAMS = [
  {
    there: () => isThere('nginx', '-v') && existsSync('/usr/lib/nginx/modules/ngx_stream_module.so'),
    bring: ['nginx-light', 'libnginx-mod-stream'],
  },
  { there: () => isThere('haproxy', '-v'), bring: ['haproxy'] },
  { there: () => isThere('pgbouncer', '--version'), bring: ['pgbouncer'] },
  { there: () => isThere('gunicorn', '--version'), bring: ['gunicorn'] },
  { there: () => ['', '8.2', '8.3', '8.4'].some((version) => isThere(`php-fpm${version}`, '-v')), bring: ['php-fpm'] },
]
const POLICY = '/usr/sbin/policy-rc.d'

function isThere(/** @type {string} */ program, /** @type {string} */ question) {
  return spawnSync(program, [question], { stdio: 'ignore' }).error === undefined
}

/** On a fresh machine the programs are missing, and in CI the tests of the proxies fail without them. Their services are not started. */
function installPrograms() {
  const packages = PROGRAMS.filter(({ there }) => !there()).flatMap(({ bring }) => bring)
  if (packages.length === 0) return
  if (process.getuid?.() !== 0 || !isThere('apt-get', '--version')) {
    console.error(`cannot install ${packages.join(', ')}: that takes root and apt-get`)
    return
  }
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  // A mirror that is not up to date may still have the packages.
  perform('apt-get update', 'apt-get', ['-qq', 'update'], quiet)
  perform(`install ${packages.join(' ')}`, 'apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], quiet)
  if (isOurs) rmSync(POLICY, { force: true })
}

if (process.env.CI === 'true') installPrograms()

if (step('npm ci', 'npm', ['ci'])) {
  test(`npm test on Node ${process.versions.node}`, 'npm', ['test'])
  const has24 = process.platform === 'linux' && process.arch === 'x64' // what the package with the binary is made for
  if (process.env.CI === 'true' && has24 && step('npm ci --prefix tools/nodes', 'npm', ['ci', '--prefix', 'tools/nodes']))
    test('tests on Node 24', node24, ['node_modules/vitest/vitest.mjs', 'run'])
  // What scan knows of the common client libraries, measured again: their packages come from the registry, so not on every developer's machine.
  if (process.env.CI === 'true') step('npm run clients -- --quick', 'npm', ['run', 'clients', '--', '--quick'])
  step('npm run check', 'npm', ['run', 'check', '--', '--skip', 'tests', 'types'])
}

rmSync(scratch, { recursive: true, force: true })
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1
