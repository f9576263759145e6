import type { Diagnostic, Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import type { ScannedCall } from '../calls/scanned-call.js'
import { isCommandLine } from './command-line.js'
import { GO_SIEVE, scanGo } from './go/scan-go.js'
import { isTestFile, usesTestFramework } from './is-test-file.js'
import { JAVA_SIEVE, scanJava } from './java/scan-java.js'
import { GO } from './products.js'
import { PYTHON_SIEVE, scanPython } from './python/scan-python.js'
import { shallowCalls, shallowDiagnostics } from './shallow-findings.js'
import type { ShallowLanguage } from './shallow-language.js'
import type { Sighting } from './sighting.js'
import { type Parse, readTree, type SyntaxNode, type SyntaxTree } from './syntax-tree.js'

/** What the syntax of one file tells. */
export interface ShallowScan {
  readonly calls: readonly ScannedCall[]
  readonly diagnostics: readonly Diagnostic[]
  /** What could not be read; the calls there are not in `calls`. */
  readonly problems: readonly Problem[]
}

/** What a shallow scan may be told. */
export interface ShallowOptions {
  /** True reads tests too. Default: they are left out. */
  readonly includesTests?: boolean
  /** True where the module has no database but those in its own process. Default: false. */
  readonly isDatabaseLocal?: boolean
  /** After how many ms gunicorn kills the worker that a file is served by. Default: nobody knows. */
  readonly workerEndMs?: number | null
}

interface Reader {
  readonly sieve: RegExp
  readonly scan: (tree: SyntaxTree, source: Source) => readonly Sighting[]
}

const READERS: Readonly<Record<ShallowLanguage, Reader>> = {
  go: { sieve: GO_SIEVE, scan: scanGo },
  java: { sieve: JAVA_SIEVE, scan: scanJava },
  python: { sieve: PYTHON_SIEVE, scan: scanPython },
}

const NOTHING: ShallowScan = { calls: [], diagnostics: [], problems: [] }
const NAMES: Readonly<Record<ShallowLanguage, string>> = { go: 'Go', java: 'Java', python: 'Python' }

/**
 * The calls of known libraries in one source file, as far as its syntax alone tells: nothing is followed into other files, no type is
 * inferred, no version is known. `parse` reads the text; it may give up with null.
 */
export function scanShallow(source: Source, language: ShallowLanguage, parse: Parse, options: ShallowOptions = {}): ShallowScan {
  const { sieve, scan } = READERS[language]
  if (!sieve.test(source.text) || (!options.includesTests && isTest(source))) return NOTHING
  const tree = treeOf(source, parse)
  if (typeof tree === 'string') return { ...NOTHING, problems: [{ message: tree, spot: null, file: source.file }] }
  const sightings = scan(tree, source).filter(({ call, product }) => isUnderstood(call) && !(options.isDatabaseLocal && product === GO.sql))
  const problems = [
    ...problemsAt(source, tree.error, `is no ${NAMES[language]} that the parser understands`),
    ...problemsAt(source, tree.cut, 'is nested too deeply or comes too late in the file'),
  ]
  const diagnostics = shallowDiagnostics(source, sightings, { isCommand: isCommandLine(source), workerEndMs: options.workerEndMs ?? null })
  return { calls: shallowCalls(source, sightings), diagnostics, problems }
}

function isTest({ file, text }: Source): boolean {
  return isTestFile(file) || usesTestFramework(text)
}

function treeOf({ text }: Source, parse: Parse): SyntaxTree | string {
  const parsed = parse(text)
  if (!parsed) return 'the parser gave up; the file was not read'
  try {
    return readTree(parsed, text)
  } finally {
    parsed.delete()
  }
}

function problemsAt(source: Source, node: SyntaxNode | null, what: string): readonly Problem[] {
  if (!node) return []
  const spot = { source, start: node.start, end: Math.min(node.end, node.start + 200) }
  return [{ message: `this ${what}; calls in it were not looked at`, spot, file: source.file }]
}

/** A call in a stretch that the parser guessed at is not to be trusted. */
function isUnderstood(call: SyntaxNode): boolean {
  for (let node: SyntaxNode | null = call; node; node = node.parent) if (node.type === 'ERROR') return false
  return call.tree.nodes.slice(call.index, call.lastIndex + 1).every(({ type }) => type !== 'ERROR')
}
