import type { Imported } from '../importers/import-sources.js'
import type { JoinedFile } from '../importers/join.js'
import type { CallPart, ChainFile, Named, OperationPart } from '../model/chain-file.js'
import { readChainFile } from '../model/chain-file.js'
import type { Note } from '../model/diagnostic.js'
import { placeOf, type Source } from '../model/sourced.js'
import { importYaml } from '../report/import-yaml.js'
import { fieldsText, serviceOfCode } from '../report/service-of-code.js'
import { counted } from '../report/text.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import { isStartedByHand } from '../scan/files/path-severity.js'
import { tidyPath } from './find-files.js'
import { lookAt } from './look-at.js'
import { mergedCalls } from './merged-calls.js'
import { mergedChain } from './merged-chain.js'
import { noteLines } from './note-lines.js'
import { problemLine } from './problem-line.js'
import { readStanding } from './read-text.js'
import { schemaOf } from './schema-of.js'
import { serviceNameOf } from './service-name.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'
import { writeOutput } from './write-output.js'

/** Which chain file calls in code go into, and as whose. */
export interface ChainOfCode {
  readonly file: string
  /** Default: the nearest package's name. */
  readonly service: string | undefined
  /** Default: the service's only operation, else `request`. */
  readonly operation: string | undefined
}

/** The calls found in code, with the files they were looked for in. */
export interface FoundCalls {
  readonly calls: readonly ScannedCall[]
  readonly sources: readonly Source[]
}

const OPERATION = 'request'
const MAX_NOTES = 20

/** Writes the calls found in code into a chain file; gives what is to be said of that. Throws `Unusable` where it cannot be written. */
export function writeChainOfCode(found: FoundCalls, wish: ChainOfCode, system: System): readonly string[] {
  const path = tidyPath(wish.file)
  const calls = found.calls.filter(({ spot }) => !isStartedByHand(spot.source.file))
  const own = serviceNameOf(found.sources, system)
  const service = wish.service ?? own.name
  refuseNames({ ...wish, service })
  const there = existing(path, system)
  const parts = there?.services.find(({ name }) => name === service)?.part.operations ?? []
  const operation = wish.operation ?? (parts.length === 1 ? parts[0]?.name : undefined) ?? OPERATION
  const calledAlready = callsOf(parts).flatMap(({ to }) => (to ? [to.value] : []))
  const code = { service, operation, calls, known: there?.services ?? [], calledAlready }
  const joined = serviceOfCode(code, there?.source ?? found.sources[0] ?? { file: path, text: '' })
  const made = joined.services.find(({ name }) => name === service)?.part.operations.flatMap(({ part }) => part.steps) ?? []
  const all = made.flatMap((step) => step.calls)
  const known = all.filter(({ to }) => calledAlready.includes(to?.value ?? ''))
  const fresh = all.filter((call) => !known.includes(call))
  const text = there ? added(there, { service, operation, fresh, joined }) : newFile(joined, calls, system)
  if (text !== there?.source.text) writeOutput(checked(text, path), path, system)
  const notes: readonly Note[] = [
    ...(own.packages > 1 && wish.service === undefined
      ? [
          {
            spot: null,
            message: `the code of ${own.packages} packages is one service, ${service}: scan each folder for itself, with --service`,
          },
        ]
      : []),
    ...(parts.length > 1 && wish.operation === undefined && fresh.length > 0
      ? [
          {
            spot: null,
            message: `${service} has ${parts.length} operations, and code does not say which makes a call: these are of "${operation}"; --operation names another`,
          },
        ]
      : []),
    ...known.flatMap((call) => differing(call, callsOf(parts))),
  ]
  const byHand = found.calls.length - calls.length
  return [
    ...noteLines(notes, MAX_NOTES),
    ...(byHand > 0 ? [`note: ${counted(byHand, 'call')} in scripts and examples left out of the chain`] : []),
    `${text === there?.source.text ? `${path} stays as it is` : `wrote ${path}`}: ${counted(fresh.length, 'call')} of ${service}.${operation} added${known.length > 0 ? `, ${known.length} there already` : ''}`,
  ]
}

function callsOf(operations: readonly Named<OperationPart>[]): readonly CallPart[] {
  return operations.flatMap(({ part }) => part.steps.flatMap((step) => step.calls))
}

function refuseNames({ service, operation = OPERATION }: ChainOfCode & { readonly service: string }): void {
  if (!/^[^\s.]{1,80}$/.test(service))
    throw new Unusable([`sandglass scan: --service "${service}": a service's name has 1 to 80 characters, no dot and no space`])
  if (!/^\S{1,100}$/.test(operation))
    throw new Unusable([`sandglass scan: --operation "${operation}": an operation's name has 1 to 100 characters and no space`])
}

function existing(path: string, system: System): ChainFile | null {
  if (lookAt(path, system.folders) === null) return null
  const read = readStanding(path, system.folders)
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const file = readChainFile(read.source)
  if (file.problems.length > 0) throw new Unusable(file.problems.map(problemLine))
  return file
}

const MAX_FILES_NAMED = 3

function importedOf(file: JoinedFile, calls: readonly ScannedCall[]): Imported {
  const sources = [...new Set(calls.map(({ spot }) => spot.source))]
  const libraries = (of: readonly ScannedCall[]) =>
    [...new Set(of.map(({ library, packageName }) => packageName ?? library))].toSorted().join(', ')
  const named = sources.map((source) => ({ file: source.file, format: libraries(calls.filter(({ spot }) => spot.source === source)) }))
  const counted = [{ file: `${sources.length} files`, format: libraries(calls) }]
  return { file, notes: [], read: named.length > MAX_FILES_NAMED ? counted : named, notRead: [], sources }
}

function newFile(joined: JoinedFile, calls: readonly ScannedCall[], system: System): string {
  return importYaml(importedOf(joined, calls), schemaOf(system), 'sandglass scan --chain')
}

interface Additions {
  readonly service: string
  readonly operation: string
  readonly fresh: readonly CallPart[]
  readonly joined: JoinedFile
}

/** The calls that are missing, then the services and the journey that are not there yet. */
function added({ source, services }: ChainFile, { service, operation, fresh, joined }: Additions): string {
  const isThere = services.some(({ name }) => name === service)
  if (fresh.length === 0 && isThere) return source.text
  const text = isThere ? mergedCalls(source, { service, operation }, fresh, joined) : source.text
  if (text === null)
    throw new Unusable([
      `${source.file}: the calls of ${service}.${operation} are written in a form that nothing can be added to; write them as a list of their own`,
    ])
  const isCalled = services.some(({ part }) => callsOf(part.operations).some(({ to }) => to?.value.startsWith(`${service}.`)))
  const called = new Set(fresh.map(({ to }) => to?.value.split('.')[0]))
  const needed = joined.services.filter(({ name }) => (name === service && !isThere) || called.has(name))
  const journeys = isThere || isCalled ? [] : joined.journeys.filter(({ part }) => part.starts?.value.startsWith(`${service}.`))
  return mergedChain({ ...source, text }, importedOf({ ...joined, services: needed, journeys }, []))
}

/** What is written must be a chain file again; a section written on one line may not take lines. */
function checked(text: string, file: string): string {
  const [problem] = readChainFile({ file, text }).problems
  if (!problem) return text
  throw new Unusable([
    `${file}: cannot be added to (${problem.message}): "services" or "journeys" may be empty or written on one line; give each entry a line of its own`,
  ])
}

/** What stands in the file for a call wins; where the code says something else, that is told. */
function differing(call: CallPart, there: readonly CallPart[]): readonly Note[] {
  const same = there.filter(({ to }) => to?.value === call.to?.value)
  const inCode = fieldsText(call)
  const [first] = same
  if (!first || same.some((other) => fieldsText(other) === inCode)) return []
  const { file, line } = placeOf(call.spot)
  const text = `the call to ${call.to?.value ?? 'unknown'} stays as it is (${fieldsText(first) || 'no limit'}); ${file}:${line} has ${inCode || 'no limit'}`
  return [{ message: text, spot: first.spot }]
}
