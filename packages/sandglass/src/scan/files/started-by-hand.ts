import type { Module } from '../syntax/module.js'
import { isServersOwn } from './runs-on-server.js'
import { usedOnlyThere } from './used-only-there.js'

/** What asks a person at a terminal. */
const ASKS = /^(inquirer|@inquirer\/|prompts|enquirer|@clack\/prompts)/

/** Files of what people start by hand, beside those whose path says so: what asks them, what their package's scripts run, and what only those use. */
export function startedByHandAmong(
  modules: readonly Module[],
  isRunByScript: (file: string) => boolean,
  usersOf: () => ReadonlyMap<Module, ReadonlySet<Module>>,
): ReadonlySet<string> {
  const candidates = modules.filter((module) => !isServersOwn(module) && (asks(module) || isRunByScript(module.source.file)))
  if (candidates.length === 0) return new Set()
  const users = usersOf()
  const found = new Set(candidates.filter((module) => asks(module) || !users.has(module)))
  const folders = [...found].map(({ source }) => folderOf(source.file))
  const waiting = modules.filter((module) => !found.has(module) && !isServersOwn(module) && isBelow(module.source.file, folders))
  return new Set([...found, ...usedOnlyThere(found, waiting, users)].map(({ source }) => source.file))
}

function asks({ requests }: Module): boolean {
  return requests.some((request) => ASKS.test(request))
}

/** What stands beside or below such a file; anything else may be for others, too, though nobody here uses it. */
function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(folder) && (folder !== '' || !file.includes('/')))
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}
