/** What package managers call their lockfiles; where several stand in one folder the first counts. */
export const lockfileNames: readonly string[] = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'npm-shrinkwrap.json', 'package-lock.json']

/** True for a path whose last part is the name of a lockfile. */
export function isLockfileName(path: string): boolean {
  return lockfileNames.includes(path.slice(path.search(/[^/\\:]*$/)))
}
