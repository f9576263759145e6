import type { Source } from '../model/sourced.js'
import { foldersAbove } from './folders-above.js'
import { packageJsonOf } from './json-at.js'
import type { System } from './system.js'

/** Names of scripts that start what goes on running. */
const STARTS =
  /(^|[:_-])(start|serve|server|dev|develop|watch|prod|run|worker|daemon|app|api|web|bot|up|listen|cron|queue|gateway|proxy|debug|preview)([:_-]|$)/i
/** What changes a database once is called so, too: `migration:run`, `migrator:up`, `seed:dev`. */
const OF_CHANGES = /migrat|seed/i
const OF_ONE_CHANGE = /[:_-](up|run|dev|prod)\b/gi
/** Programs that keep what they run running. */
const KEEPS = /\b(nodemon|ts-node-dev|pm2|forever)\b|--watch|\bwatch /

/** Files that a script of a `package.json` above them runs, and none that starts a service: `"release": "node build/release.mjs"`. */
export function scriptFiles(sources: readonly Source[], system: System): ReadonlySet<string> {
  const run = new Set<string>()
  const kept = new Set<string>()
  for (const folder of foldersAbove(sources)) {
    for (const [name, command] of scriptsIn(folder, system)) {
      const into = STARTS.test(OF_CHANGES.test(name) ? name.replace(OF_ONE_CHANGE, '') : name) || KEEPS.test(command) ? kept : run
      for (const file of filesIn(command)) into.add(folder === '' ? file : `${folder}/${file}`)
    }
  }
  return new Set([...run].filter((file) => !kept.has(file)))
}

function scriptsIn(folder: string, { folders }: System): readonly (readonly [string, string])[] {
  const scripts = packageJsonOf(folder, folders)?.['scripts']
  if (typeof scripts !== 'object' || scripts === null) return []
  return Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}

function filesIn(command: string): readonly string[] {
  const words = command.split(/[\s'"=;&|()]+/)
  return words
    .flatMap((word, k) => {
      if (/^[\w@./-]+\.[cm]?[jt]sx?$/.test(word)) return [word]
      const isRun = RUNNERS.test(words[k - 1] ?? '') && /^[\w@.-]+(\/[\w@.-]+)+$/.test(word)
      return isRun ? [`${word}.js`, `${word}.ts`] : []
    })
    .map((word) => word.replace(/^(\.\/)+/, ''))
}

/** What runs a file whose ending may be left out. */
const RUNNERS = /^(node|ts-node|tsx|babel-node|bun)$/
