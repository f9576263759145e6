import type { Source } from '../model/sourced.js'
import { isFoundFile } from './look-at.js'
import type { System } from './system.js'

const MAX_MANIFEST_BYTES = 1_000_000

/** Names of scripts that start what goes on running. */
const STARTS =
  /(^|[:_-])(start|serve|server|dev|develop|watch|prod|run|worker|daemon|app|api|web|bot|up|listen|cron|queue|gateway|proxy|debug|preview)([:_-]|$)/i
/** Programs that keep what they run running. */
const KEEPS = /\b(nodemon|ts-node-dev|pm2|forever)\b|--watch|\bwatch /

/** Files that a script of a `package.json` above them runs, and none that starts a service: `"release": "node build/release.mjs"`. */
export function scriptFiles(sources: readonly Source[], system: System): ReadonlySet<string> {
  const run = new Set<string>()
  const kept = new Set<string>()
  for (const folder of foldersAbove(sources)) {
    for (const [name, command] of scriptsIn(`${folder}package.json`, system)) {
      const into = STARTS.test(name) || KEEPS.test(command) ? kept : run
      for (const file of filesIn(command)) into.add(`${folder}${file}`)
    }
  }
  return new Set([...run].filter((file) => !kept.has(file)))
}

function foldersAbove(sources: readonly Source[]): ReadonlySet<string> {
  const folders = new Set<string>([''])
  for (const { file } of sources)
    for (let slash = file.lastIndexOf('/'); slash >= 0; slash = file.lastIndexOf('/', slash - 1)) {
      const folder = file.slice(0, slash + 1)
      if (folders.has(folder)) break
      folders.add(folder)
      if (slash === 0) break
    }
  return folders
}

function scriptsIn(file: string, system: System): readonly (readonly [string, string])[] {
  try {
    if (!isFoundFile(file, system.folders)) return []
    const manifest = JSON.parse(new TextDecoder().decode(system.folders.read(file, MAX_MANIFEST_BYTES))) as { scripts?: unknown }
    const { scripts } = manifest
    if (typeof scripts !== 'object' || scripts === null) return []
    return Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  } catch {
    return []
  }
}

function filesIn(command: string): readonly string[] {
  return command
    .split(/[\s'"=;&|()]+/)
    .filter((word) => /^[\w@./-]+\.[cm]?[jt]sx?$/.test(word))
    .map((word) => word.replace(/^(\.\/)+/, ''))
}
