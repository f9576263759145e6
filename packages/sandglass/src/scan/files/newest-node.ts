import { compareVersions } from '../../model/default-of.js'

/** The newest Node that a range of `engines` allows, `16` for all of its line: `^16.13.0`, `14.x || 16.x`, `>=14 <17`; null where it allows any to come. */
export function newestNode(range: string): string | null {
  const all = range.split('||').map((each) => newestOf(each.trim()))
  return all.reduce((a, b) => (a === null || b === null ? null : compareVersions(lineOf(a), lineOf(b)) < 0 ? b : a), all[0] ?? null)
}

/** As the newest of a line is compared: `16` is newer than 16.13. */
const lineOf = (version: string) => (version.includes('.') ? version : `^${version}.0.0`)

function newestOf(range: string): string | null {
  const [, sign, bound] = /(<=?)\s*v?(\d+(?:\.\d+)*)/.exec(range) ?? []
  if (sign === '<=' && bound !== undefined) return bound
  if (bound !== undefined) return before(bound)
  if (range.includes('>')) return null
  const [, mark = '', version] = /(?:^|\s)([~^]?)v?(\d+(?:\.\d+){0,2})(?:\.[x*])*$/i.exec(range) ?? []
  const parts = version?.split('.') ?? []
  return version === undefined ? null : mark === '' ? version : parts.slice(0, mark === '^' ? 1 : 2).join('.')
}

/** What comes before a version: 17 or 17.0.0 ends at the newest 16, 16.14 at the newest 16.13. */
function before(bound: string): string | null {
  const [major = 0, minor = 0] = bound.split('.').map(Number)
  if (minor > 0) return `${major}.${minor - 1}`
  return major > 0 ? String(major - 1) : null
}
