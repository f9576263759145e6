import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package of the lock folder: the name that code imports, its exact version, and the folder below `node_modules`. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** The packages that `package.json` of the lock folder names, those under another name as well. */
export function packagesOf(manifest: string): InstalledPackage[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(manifest)
  return Object.entries(dependencies).map(([folder, spec]) => {
    const alias = /^npm:(.+)@([^@]+)$/.exec(spec)
    return { folder, name: alias?.[1] ?? folder, version: alias?.[2] ?? spec }
  })
}

/** Installs what the lock folder says into `home` with `npm ci`, unless that is there already; throws when it cannot. Returns whether it installed. */
export function installClients(lockFolder: string, home: string): boolean {
  const lock = readFileSync(join(lockFolder, 'package-lock.json'))
  const stamp = join(home, 'installed')
  const sum = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sum) return false
  mkdirSync(home, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(lockFolder, file), join(home, file))
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: home,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ci of the client libraries ended with ${status ?? error?.message}`)
  writeFileSync(stamp, sum)
  return true
}

/**
 * Writes code to a file below `runs` from which it can import exactly these packages under their own names, and returns that file.
 * Which version of a library a name means differs from case to case; a folder of links for each set says which.
 */
export function placeCode(
  { home, runs }: { readonly home: string; readonly runs: string },
  slug: string,
  code: string,
  packages: readonly InstalledPackage[],
): string {
  const set = packages.length === 0 ? 'node' : packages.map(({ folder }) => folder.replaceAll('/', '+')).join(',')
  const folder = join(runs, set)
  for (const each of packages) link(join(home, 'node_modules', each.folder), join(folder, 'node_modules', each.name))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${slug}.mjs`)
  writeFileSync(file, code)
  return file
}

function link(target: string, at: string) {
  mkdirSync(dirname(at), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  symlinkSync(target, at, 'junction')
}
