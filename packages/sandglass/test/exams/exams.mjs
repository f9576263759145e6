// Scans public repositories again whose findings were read one by one, and whose causes of long waits were listed by hand: how many of the findings
// are known to be false, and how many of the causes are found. `npm run exams -- <folder>` wants a checkout of each repository below the folder, by its
// owner and name (`snyk/cli`) or by its name alone, and at the commit that `repositories.tsv` says; those that are not there are left out, which is said.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = fileURLToPath(new URL('../../bin/sandglass.js', import.meta.url))
/** A reader names the line of the call or of what is made for it, the scan the other one at times. */
const NEAR_LINES = 4
const MAX_OUTPUT = 512 * 1024 * 1024

/**
 * The rows of a table beside this file, without its head.
 * @param {string} name
 */
function rowsOf(name) {
  const lines = readFileSync(join(here, name), 'utf8').split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}

/** @typedef {{ readonly file: string, readonly line: number }} Place */
/** @typedef {{ readonly rule: string, readonly message: string, readonly at: Place, readonly related: readonly Partial<{ at: Place } & Place>[] }} Finding */

/**
 * @param {string} folder
 * @returns {readonly Finding[]}
 */
function scan(folder) {
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'scan', '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  })
  if (stdout === '') throw new Error(`${folder}: ${stderr.trim()}`)
  return JSON.parse(stdout).diagnostics
}

/**
 * How many findings were read as what, in one repository.
 * @param {string} repository
 * @param {readonly Finding[]} findings
 */
function countVerdicts(repository, findings) {
  const counts = { true: 0, weak: 0, false: 0, unread: 0 }
  for (const { rule, at, message } of findings) {
    const verdict = verdicts.get([repository, rule, `${at.file}:${at.line}`, message].join('\t')) ?? 'unread'
    counts[/** @type {keyof typeof counts} */ (verdict)]++
  }
  return counts
}

/**
 * How many of the listed causes of a kind are among the findings.
 * @param {string} repository
 * @param {string} kind
 * @param {readonly Finding[]} findings
 */
function countFound(repository, kind, findings) {
  const places = findings.flatMap(({ at, related }) => [
    at,
    ...related.flatMap((each) => each.at ?? (each.file ? /** @type {Place} */ (each) : [])),
  ])
  const all = causes.filter(([of, is]) => of === repository && is === kind)
  const isFound = (/** @type {string} */ place) => {
    const [file, line] = [place.slice(0, place.lastIndexOf(':')), Number(place.slice(place.lastIndexOf(':') + 1))]
    return places.some((each) => each.file === file && Math.abs(each.line - line) <= NEAR_LINES)
  }
  return { found: all.filter(([, , place = '']) => isFound(place)).length, all: all.length }
}

const folder = process.argv[2]
const repositories = rowsOf('repositories.tsv')
const verdicts = new Map(
  rowsOf('findings.tsv').map(([repository, verdict, rule, place, message]) => [[repository, rule, place, message].join('\t'), verdict]),
)
const causes = rowsOf('causes.tsv')

if (folder === undefined || !existsSync(folder)) {
  console.error(
    `exams: ${folder ?? 'no folder'}; expected the folder that the ${repositories.length} repositories of repositories.tsv are checked out in`,
  )
  process.exit(2)
}
const sum = { findings: 0, true: 0, weak: 0, false: 0, unread: 0, none: 0, ofNone: 0, long: 0, ofLong: 0 }
for (const [repository = '', commit = ''] of repositories) {
  const byName = join(folder, repository.slice(repository.indexOf('/') + 1))
  const checkout = existsSync(join(folder, repository)) ? join(folder, repository) : byName
  if (!existsSync(checkout)) {
    console.log(`left out: ${repository} at ${commit} is not there`)
    continue
  }
  const findings = scan(checkout)
  const counts = countVerdicts(repository, findings)
  const [none, long] = [countFound(repository, 'none', findings), countFound(repository, 'long', findings)]
  sum.findings += findings.length
  for (const verdict of /** @type {const} */ (['true', 'weak', 'false', 'unread'])) sum[verdict] += counts[verdict]
  sum.none += none.found
  sum.ofNone += none.all
  sum.long += long.found
  sum.ofLong += long.all
  console.log(
    `${repository}: ${findings.length} findings, ${counts.false} false, ${counts.weak} weak, ${counts.unread} not read; nothing ends ${none.all}, found ${none.found}; a long default ends ${long.all}, found ${long.found}`,
  )
}
const share = (/** @type {number} */ part, /** @type {number} */ whole) => (whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`)
console.log(
  `all: ${sum.findings} findings, ${sum.false} false (${share(sum.false, sum.findings - sum.unread)} of those read), ${sum.weak} weak, ${sum.unread} not read; ` +
    `nothing ends ${sum.ofNone}, found ${sum.none} (${share(sum.none, sum.ofNone)}); a long default ends ${sum.ofLong}, found ${sum.long} (${share(sum.long, sum.ofLong)})`,
)
