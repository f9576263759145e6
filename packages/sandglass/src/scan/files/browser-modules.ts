import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { browserPackages } from './browser-packages.js'
import { directiveOf } from './directive-of.js'
import { isInGivenToPage } from './given-to-page.js'
import { hasMarkup } from './has-markup.js'
import { isTestPath } from './is-test-path.js'
import type { Project } from './project.js'
import { isServersOwn, runsOnServer } from './runs-on-server.js'
import { sendsCredentials } from './sends-credentials.js'
import { serverPartsOf } from './server-parts.js'
import { unlessUsedElsewhere, usedOnlyThere } from './used-only-there.js'
import { usersOf } from './users-of.js'
import { usesPage } from './uses-page.js'
import { workersOfPages } from './workers-of-pages.js'

const BROWSER_PACKAGE =
  /^(react-dom|react-native|react-redux|react-hot-toast|sonner|mobx-react|mobx-react-lite|vue|vuex|vue-router|pinia|svelte|solid-js|solid-element|preact|jquery|swr|comlink|idb|localforage|next-themes|framer-motion|@reduxjs\/toolkit\/query|@radix-ui|@capacitor|@ionic|@tanstack\/(react|vue|svelte|solid)-query|@stripe\/stripe-js|@angular\/(core|common)|next\/(router|link|image)|expo|wxt|webextension-polyfill)(\/|$)/
/** Folders of what runs in a browser, unless something in them shows that a server does. */
const BROWSER_FOLDER = /(^|\/)(frontend|front-end|webapp|browser|web-?workers?|webviews?|composables|content-?scripts?)\//
/** Folders of what a server hands to browsers as it is. */
const SERVED = /(^|\/)(public|static|assets|www|wwwroot)\/.*\.m?js$/
/** Names that only what runs in a browser has. */
const BROWSER_FILE = /(^|\/)use(-[\w-]+|[A-Z]\w*)(\/index)?\.[jt]s$|(^|\/)service-?worker\.[cm]?[jt]s$/
/** What only a worker of a page, or a page inside of an editor, can call. */
const PAGE_FUNCTIONS: ReadonlySet<string> = new Set(['importScripts', 'acquireVsCodeApi', 'defineBackground', 'defineContentScript'])
/** What a page inside of Electron imports. */
const OF_RENDERER: ReadonlySet<string> = new Set(['ipcRenderer', 'contextBridge', 'webFrame'])

/** What only a page has to be made. */
const PAGE_CLASSES: ReadonlySet<string> = new Set(['XMLHttpRequest', 'SharedWorker', 'DOMParser', 'IntersectionObserver'])

/** Modules that run in a browser, where what Node's `fetch` does says nothing: by what they use, or because only such modules use what they give. */
export function browserModules(modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const before = known.get(modules)
  const found = before ?? find(modules, project)
  if (!before) known.set(modules, found)
  return found
}

const known = new WeakMap<readonly Module[], ReadonlySet<Module>>()

function find(modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const { users, usedOnServer } = usersOf(modules, project)
  const serverFolders = new Set(modules.flatMap((module) => (isServersOwn(module) ? foldersOf(module) : [])))
  const workers = workersOfPages(project)
  const isWorker = (module: Module) => workers.has(module.source.file) && !runsOnServer(module)
  const isShown = (module: Module) => isWorker(module) || (isServed(module) && !users.has(module)) || isBrowser(module, serverFolders)
  const shown = new Set(modules.filter(isShown))
  const isOpen = (module: Module) => !usedOnServer.has(module) && !runsOnServer(module)
  const packages = browserPackages(project, isTestPath)
  const isOfPages = (module: Module) => packages.has(project.packageOf(module.source.file)) || sendsCredentials(module)
  const open = modules.filter((module) => !shown.has(module) && isOpen(module))
  const likely = new Set(open.filter((module) => hasMarkup(module) || isOfPages(module)))
  const notElsewhere = unlessUsedElsewhere(
    shown,
    open.filter((module) => likely.has(module) || users.has(module)),
    users,
  )
  const found = new Set([...shown, ...[...notElsewhere].filter((module) => likely.has(module))])
  const waiting = modules.filter((module) => !found.has(module) && isOpen(module))
  return new Set([...found, ...usedOnlyThere(found, waiting, users)])
}

/** A script that pages load, and no function that something calls by its name; bundles for pages ask Node too, where they run there. */
function isServed(module: Module): boolean {
  if (!SERVED.test(module.source.file) || module.exports.has('handler')) return false
  return !runsOnServer(module) || (!isServersOwn(module) && !module.requests.includes('electron') && usesPage(module))
}

/** The folders that say `frontend` and the like which a module stands in. */
function foldersOf({ source: { file } }: Module): readonly string[] {
  const folders: string[] = []
  for (let at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1)) {
    const folder = file.slice(0, at + 1)
    if (BROWSER_FOLDER.test(folder.slice(folder.lastIndexOf('/', at - 1) + 1))) folders.push(folder)
  }
  return folders
}

function isBrowser(module: Module, serverFolders: ReadonlySet<string>): boolean {
  const { file } = module.source
  if (directiveOf(module) === 'use client') return true
  // What a page loads itself with brings packages of a server along.
  if (/\.[jt]sx$/.test(file) && serverPartsOf(module).nodes.length > 0) return true
  if (runsOnServer(module)) return false
  return (
    BROWSER_FILE.test(file) ||
    foldersOf(module).some((folder) => !serverFolders.has(folder)) ||
    file.endsWith('.vue') ||
    module.requests.some((request) => BROWSER_PACKAGE.test(request)) ||
    navigates(module) ||
    importsOneOf(OF_RENDERER, 'electron', module) ||
    usesHooks(module) ||
    usesPage(module) ||
    module.calls.some((call) => isOfBrowser(call, module) && !isInGivenToPage(call))
  )
}

/** `fetch('/api/…')`, which Node cannot find; the parts of an extension; `define(['jquery'], …)` of AMD. */
function isOfBrowser(call: CallNode, module: Module): boolean {
  if (call.type === 'TaggedTemplateExpression' || call.callee.type !== 'Identifier') return false
  const { name } = call.callee
  if (call.type === 'NewExpression') return PAGE_CLASSES.has(name) && !lookUp(name, scopeAt(call, module))
  const [first, second] = call.arguments
  if (name === 'define') return [first, second].some((arg) => arg?.type === 'ArrayExpression') && !lookUp(name, scopeAt(call, module))
  if (PAGE_FUNCTIONS.has(name)) return !lookUp(name, scopeAt(call, module))
  if (name !== 'fetch' || lookUp(name, scopeAt(call, module))) return false
  const text = first?.type === 'Literal' ? first.value : first?.type === 'TemplateLiteral' ? first.quasis[0]?.value.cooked : null
  return typeof text === 'string' && /^\/(?!\/)/.test(text)
}

/** `useRouter` of `next/navigation`; a server has its `redirect` and `notFound`. */
function navigates({ scope }: Module): boolean {
  return [...scope.names.values()].some(
    ({ binding }) => binding.kind === 'import' && binding.request === 'next/navigation' && /^use[A-Z]/.test(binding.name),
  )
}

function importsOneOf(names: ReadonlySet<string>, request: string, { scope }: Module): boolean {
  return [...scope.names.values()].some(
    ({ binding }) => binding.kind === 'import' && binding.request === request && names.has(binding.name),
  )
}

/** `import { useState } from 'react'`; `react` alone is imported by servers too. */
function usesHooks({ requests, source }: Module): boolean {
  return requests.includes('react') && /\buse[A-Z]\w*\s*[(<]/.test(source.text)
}
