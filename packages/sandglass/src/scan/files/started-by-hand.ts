import type { Module } from '../syntax/module.js'
import { directiveOf } from './directive-of.js'
import type { Manifest } from './manifest.js'
import { isOneOff, isOver } from './one-off.js'
import type { Project } from './project.js'
import { isServersOwn } from './runs-on-server.js'
import { type Users, usedOnlyThere } from './used-only-there.js'

/** What asks a person at a terminal. */
const ASKS = /^(inquirer|@inquirer\/|prompts|enquirer|readline-sync|@clack\/prompts)/
/** What reads the words of a command line, or draws at a terminal. */
const OF_COMMANDS =
  /^(commander|@commander-js\/|yargs|cac|meow|ink|citty|sade|clipanion|cmd-ts|@oclif\/(core|command)|@oclif\/|command-line-args|gluegun|caporal|@caporal\/|vorpal|ora|yoctocolors|nanospinner|listr2?$|cli-progress|gunshi|@effect\/cli|typanion|@bomb\.sh\/|@stricli\/)/
const COMMAND_FOLDER = /(^|\/)(commands?|cmds?|cli|bin)\//
/** Helpers of pipelines: actions of GitHub, checks of what is to be merged. */
const ACTIONS = /^(@actions\/|danger$)/
const SHELL = /^#!.*\b(node|bun|deno|tsx|ts-node|zx)\b/
/** What gives nothing to others and reads the words that it is started with. */
const READS_WORDS = /\bprocess\.argv\s*(\[\s*[2-9]|\.slice\(\s*2)|\bparseArgs\(/
/** What starts to answer others. */
const LISTENS = /\.listen\(|\bcreateServer\(|\bserve\(|\bnew\s+Worker\(/
/** A server that its own command starts has one of them. */
const SERVERS =
  /^(express|fastify|koa|hono|@hono\/node-server|@nestjs\/core|bullmq|bull|next|nuxt|kafkajs|amqplib|apollo-server.*|@apollo\/server)$/

/** What is known of a project beside its modules. */
export interface StartedBy {
  readonly project: Project
  /** A script of the package runs it. */
  readonly isRunByScript: (file: string) => boolean
  readonly usersOf: () => Users
}

/** Files of what people start by hand, beside those whose path says so: commands, what asks them, what their package's scripts run, and what only those use. */
export function startedByHandAmong(modules: readonly Module[], { project, isRunByScript, usersOf }: StartedBy): ReadonlySet<string> {
  const isCommand = commandsAmong(project)
  const isShown = (module: Module) => asks(module) || isCommand(module)
  const isDone = (module: Module) => (isOneOff(module) && !isNamedElsewhere(module, project)) || isTool(module, project)
  const candidates = modules.filter((module) =>
    isRunByScript(module.source.file) || isDone(module) || isStartedAlone(module)
      ? !answers(module)
      : isShown(module) && !isServersOwn(module),
  )
  const ofEditors = modules.filter(({ source }) => isOnADesk(project.manifestOf(source.file))).map(({ source }) => source.file)
  if (candidates.length === 0) return new Set(ofEditors)
  const users = usersOf()
  const found = new Set(candidates.filter((module) => isShown(module) || !users.has(module)))
  // A file of a server that reads its words may start all of it.
  const leading = new Set([...found].filter((module) => asks(module) || !isCommand(module) || !hasServer(module, project)))
  const packages = new Set([...found].flatMap((module) => (isCommand(module) ? project.packageOf(module.source.file) : [])))
  const folders = [...found].map(({ source }) => folderOf(source.file))
  const isNear = ({ source: { file } }: Module) => packages.has(project.packageOf(file)) || isBelow(file, folders)
  const waiting = modules.filter((module) => !found.has(module) && !isOfServer(module) && isNear(module))
  return new Set([...ofEditors, ...[...found, ...usedOnlyThere(leading, waiting, users)].map(({ source }) => source.file)])
}

/** What a script starts and that goes on to answer others, or to take what waits in a queue; a driver alone answers nobody. */
function answers({ source, requests }: Module): boolean {
  return LISTENS.test(source.text) || requests.some((request) => SERVERS.test(request))
}

/** A server's own that does more than to bring a driver, which commands have, too. */
function isOfServer(module: Module): boolean {
  return isServersOwn(module) && (answers(module) || directiveOf(module) === 'use server')
}

/** Something may start it by its name: `fork('./fill.js')`. */
function isNamedElsewhere({ source: { file } }: Module, { sources }: Project): boolean {
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  const named = new RegExp(`['"\`/]${stem.replace(/\W/g, '\\$&')}\\.[cm]?[jt]s\\b`)
  return sources.some((each) => each.file !== file && named.test(each.text))
}

/** What stands in the `tools/` of its package, or is a package of such; deeper ones are those of agents. */
function isTool({ source: { file } }: Module, project: Project): boolean {
  const folder = project.packageOf(file)
  return inside(folder, file).startsWith('tools/') || /^(?!(.*\/)?src\/)(.*\/)?tools\/[^/]+$/.test(folder)
}

function hasServer({ source }: Module, project: Project): boolean {
  return [...(project.manifestOf(source.file)?.dependencies ?? [])].some((name) => SERVERS.test(name))
}

/** It reads the words that it is started with, or a shell starts it, and it is over when its work is done. */
function isStartedAlone(module: Module): boolean {
  return (READS_WORDS.test(module.source.text) || SHELL.test(module.source.text)) && isOver(module)
}

function asks({ requests }: Module): boolean {
  return requests.some((request) => ASKS.test(request) || ACTIONS.test(request))
}

/** True for modules of a command line: of a package that installs a command and starts no server, or that say by themselves that they are one. */
function commandsAmong(project: Project): (module: Module) => boolean {
  return ({ source: { file, text }, requests, exports, exportsAll }) => {
    const manifest = project.manifestOf(file)
    if (LISTENS.test(text)) return false
    if (SHELL.test(text)) return manifest === null || !isItsStart(file, manifest, project)
    if (READS_WORDS.test(text) && exports.size === 0 && exportsAll.length === 0) return true
    const reads = requests.some((request) => OF_COMMANDS.test(request))
    if (manifest === null || !isOfCommands(manifest)) return false
    return reads || COMMAND_FOLDER.test(inside(project.packageOf(file), file))
  }
}

/** Where a package begins that a script starts and that installs no command: a shell may start it, too. */
function isItsStart(file: string, { hasCommand, isStarted }: Manifest, project: Project): boolean {
  return isStarted && !hasCommand && START.test(inside(project.packageOf(file), file))
}

const START = /^(src\/)?(index|main|server|app|worker)\.\w+$/

function isOfCommands({ hasCommand, dependencies }: Manifest): boolean {
  return hasCommand && ![...dependencies].some((name) => SERVERS.test(name))
}

/** What packs a program with a window for those who install it. */
const PACKS_WINDOWS = /^(electron-builder|electron-packager|@electron\/packager|@electron-forge\/cli)$/

/** A program with a window, or a part of an editor: it keeps only the one who sits before it. */
function isOnADesk(manifest: Manifest | null): boolean {
  if (manifest === null) return false
  const needs = [...manifest.dependencies]
  const hasWindow = manifest.dependencies.has('electron')
  return (
    manifest.isForEditor || (hasWindow && (needs.some((name) => PACKS_WINDOWS.test(name)) || !needs.some((name) => SERVERS.test(name))))
  )
}

function inside(folder: string, file: string): string {
  return folder === '' ? file : file.slice(folder.length + 1)
}

/** What stands beside or below such a file; anything else may be for others, too, though nobody here uses it. */
function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(folder) && (folder !== '' || !file.includes('/')))
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}
