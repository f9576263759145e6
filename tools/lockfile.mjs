import { existsSync, readFileSync } from 'node:fs'

const lockfiles = ['package-lock.json', 'tools/nodes/package-lock.json', 'packages/sandglass/test/clients/package-lock.json']

/**
 * Entries of the lock files that only one machine could install, one line each: an address other than npm's own registry, or no checksum.
 * @param {string} root
 * @returns {string[]}
 */
export function lockfileProblems(root) {
  return lockfiles
    .filter((file) => existsSync(`${root}/${file}`))
    .flatMap((file) => {
      /** @type {[string, { resolved?: string, link?: boolean, integrity?: string }][]} */
      const entries = Object.entries(JSON.parse(readFileSync(`${root}/${file}`, 'utf8')).packages)
      return entries.flatMap(([path, entry]) => entryProblems(path, entry).map((problem) => `${file}: ${path} ${problem}`))
    })
}

function entryProblems(
  /** @type {string} */ path,
  /** @type {{ resolved?: string, link?: boolean, integrity?: string }} */ { resolved, link, integrity },
) {
  const problems = []
  if (resolved && !link && !resolved.startsWith('https://registry.npmjs.org/')) problems.push(`comes from ${resolved}`)
  if (path.includes('node_modules/') && !link && !integrity) problems.push('has no checksum')
  return problems
}
