import { folderOf, foldersUp } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { jsonAt } from './json-at.js'

/** What a function has where nobody writes a `functionTimeout`, in ms: half an hour, on the plan "Consumption" five minutes; Azure Functions, "host.json reference". */
const DEFAULT_MS = 1_800_000
/** `00:10:00`, `1.00:00:00` */
const DURATION = /^(?:(\d{1,5})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})$/

/** When Azure ends functions, as the nearest `host.json` above a file has it. */
export interface AzureEnds {
  /** After how many ms it ends the function that stands beside its `function.json`; null where there is none, and where nothing ends it. */
  readonly endMsOf: (file: string) => number | null
  /** After how many ms it ends each function of the app at most; null where there is no app, and where nothing ends them. */
  readonly mostMsOf: (file: string) => number | null
}

/** Tells when Azure ends functions; configurations are read when they are first asked for. */
export function azureFunctions(folders: Folders): AzureEnds {
  const known = new Map<string, number | null | undefined>()
  /** Undefined where a folder has no app. */
  const writtenIn = (folder: string): number | null | undefined => {
    if (known.has(folder)) return known.get(folder)
    const host = jsonAt(inFolder(folder, 'host.json'), folders)
    const ms = host?.['version'] === '2.0' ? mostMs(host['functionTimeout']) : undefined
    known.set(folder, ms)
    return ms
  }
  const mostMsOf = (file: string) => {
    const folder = foldersUp(folderOf(file)).find((each) => writtenIn(each) !== undefined)
    return folder === undefined ? null : (writtenIn(folder) ?? null)
  }
  const isFunction = new Map<string, boolean>()
  const hasFunction = (folder: string) => {
    const before = isFunction.get(folder)
    if (before !== undefined) return before
    const found = Array.isArray(jsonAt(inFolder(folder, 'function.json'), folders)?.['bindings'])
    isFunction.set(folder, found)
    return found
  }
  return { endMsOf: (file) => (hasFunction(folderOf(file)) ? mostMsOf(file) : null), mostMsOf }
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** `-1` and what cannot be read: nothing is known to end it. */
function mostMs(timeout: unknown): number | null {
  if (timeout === undefined) return DEFAULT_MS
  const [, days = 0, hours, minutes, seconds] = (typeof timeout === 'string' && DURATION.exec(timeout)) || []
  if (seconds === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const ms = (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return ms > 0 ? ms : null
}
