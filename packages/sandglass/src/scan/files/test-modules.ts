import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { isOnlyForTypes } from '../syntax/only-types.js'
import { describesTests } from './describes-tests.js'
import type { Project } from './project.js'

/** Libraries that only tests have. */
const OF_TESTS =
  /^(vitest|mocha|jasmine|ava|tap|uvu|supertest|sinon|nock|msw|testcontainers|@testcontainers|@playwright\/test|@testing-library|@jest\/globals|@nestjs\/testing|@cucumber\/cucumber|cucumber|(jest|vitest)-mock-extended|ts-mockito|aws-sdk-client-mock|node:test|bun:test)(\/|$)/
/** A product that runs the tests of its users has it too. */
const ASSERTS = /^chai$/
const DESCRIBES = /\b(describe|it)\(\s*['"`]/
/** Folders from which cucumber loads all that is in them. */
const OF_CUCUMBER = /^(.*\/)?features\/(?=(step[-_]?definitions|steps|support)\/)/
/** Files that something starts though nobody imports them. */
const ENTRY = /(^|\/)(index|main|server|app|handler|worker|route|page|layout|middleware)\.\w+$/

/** The modules of tests whose path does not say so: by what they import, what they describe or what their package is for, and what stands beside or below them and only they import. */
export function testModules(modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const shown = modules.filter((module) => isOfTests(module) || project.manifestOf(module.source.file)?.isForTests === true)
  return shown.length === 0 ? new Set() : withWhatTheyImport(shown, modules, project)
}

function isOfTests(module: Module): boolean {
  if (describesTests(module)) return true
  const asserts = DESCRIBES.test(module.source.text)
  return requestsAtOnce(module).some(
    (request) => (OF_TESTS.test(request) || (asserts && ASSERTS.test(request))) && !isOnlyForTypes(request, module),
  )
}

/** What a module needs in any case; what a function of it requires may never be asked for. */
function requestsAtOnce({ program, requests }: Module): readonly string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return requests.includes(statement.source.value) ? [statement.source.value] : []
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ init }) => requiredBy(init) ?? [])
  })
}

function requiredBy(init: Node | null): string | null {
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'require') return null
  const [first] = init.arguments
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null
}

function withWhatTheyImport(shown: readonly Module[], modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const folders = new Set(shown.map(folderOf))
  const isNear = (file: string) => [...folders].some((folder) => file.startsWith(folder) && (folder !== '' || !file.includes('/')))
  const importers = importersAmong(modules, project)
  const found = new Set(shown)
  const waiting = new Set(modules.filter(({ source: { file } }) => importers.has(file) && !ENTRY.test(file) && isNear(file)))
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const module of waiting) {
      if (found.has(module) || !importers.get(module.source.file)?.every((each) => found.has(each))) continue
      found.add(module)
      isGrowing = true
    }
  }
  return found
}

/** The folder that a module of tests stands in; for steps of cucumber all of their features. */
function folderOf({ source: { file }, requests }: Module): string {
  const [features] = requests.some((request) => /^(@cucumber\/)?cucumber$/.test(request)) ? (OF_CUCUMBER.exec(file) ?? []) : []
  return features ?? file.slice(0, file.lastIndexOf('/') + 1)
}

/** Who imports a file, be it only to pass its names on. */
function importersAmong(modules: readonly Module[], project: Project): ReadonlyMap<string, readonly Module[]> {
  const importers = new Map<string, Module[]>()
  for (const module of modules) {
    for (const request of new Set(module.requests)) {
      const to = project.resolve(request, module.source.file)
      if (to.kind !== 'file') continue
      const before = importers.get(to.file)
      if (before) before.push(module)
      else importers.set(to.file, [module])
    }
  }
  return importers
}
