import { gunicornFlags } from '../importers/gunicorn-settings.js'
import { dockerfileCommand, type ProcessCommand } from '../importers/process-commands.js'
import { defaultMs, defaultOf } from '../model/default-of.js'
import { folderOf, foldersUp, pathBelow } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { textAt } from './text-at.js'

/** What its command starts, in a folder with a Dockerfile. */
interface Started {
  readonly folder: string
  /** The module that gunicorn serves, as a path without its ending. */
  readonly stem: string
  readonly ms: number
}

/** Tells after how many ms gunicorn kills the worker that serves a file: one that is named by the command of the nearest Dockerfile, with sync workers; null for any other file. */
export function gunicornEnds(folders: Folders): (file: string) => number | null {
  const known = new Map<string, Started | null | undefined>()
  /** Undefined where there is no Dockerfile. */
  const startedIn = (folder: string): Started | null | undefined => {
    if (known.has(folder)) return known.get(folder)
    const file = folder === '' ? 'Dockerfile' : `${folder}/Dockerfile`
    const text = textAt(file, folders)
    const started = text === null ? undefined : startedBy(dockerfileCommand({ file, text }), folder, folders)
    known.set(folder, started)
    return started
  }
  return (file) => {
    const folder = foldersUp(folderOf(file)).find((each) => startedIn(each) !== undefined)
    const started = folder === undefined ? null : startedIn(folder)
    const path = started ? pathBelow(file, started.folder) : null
    const isServed = path !== null && [`${started?.stem}.py`, `${started?.stem}/__init__.py`].includes(path)
    return isServed ? (started?.ms ?? null) : null
  }
}

const SERVES = /^([A-Za-z_][\w.]*):/
const CONFIG = 'gunicorn.conf.py'

function startedBy(command: ProcessCommand | null, folder: string, folders: Folders): Started | null {
  const words = command?.words ?? []
  const at = words.findIndex(({ text }) => /(^|\/)gunicorn$/.test(text))
  if (!command || at < 0 || command.environment.has('GUNICORN_CMD_ARGS')) return null
  const flags = gunicornFlags(words.slice(at + 1))
  const module = words.slice(at + 1).flatMap(({ text }) => SERVES.exec(text)?.[1] ?? [])[0]
  // A file of its own may say anything.
  const isElsewhere = flags.has('config') || textAt(folder === '' ? CONFIG : `${folder}/${CONFIG}`, folders) !== null
  if (module === undefined || isElsewhere || !isSync(flags.get('worker_class')?.text, flags.get('threads')?.text)) return null
  const ms = timeoutMs(flags.get('timeout')?.text)
  return ms === null ? null : { folder, stem: module.replaceAll('.', '/'), ms }
}

/** Of other workers the timeout is no limit of a request. */
function isSync(workerClass = 'sync', threads = '1'): boolean {
  return workerClass === 'sync' && threads === '1'
}

function timeoutMs(written: string | undefined): number | null {
  if (written !== undefined) return /^[1-9]\d{0,4}$/.test(written) ? Number(written) * 1000 : null
  const found = defaultOf('gunicorn', 'timeout', null)
  const ms = found.kind === 'known' ? defaultMs(found.row) : null
  return typeof ms === 'number' ? ms : null
}
