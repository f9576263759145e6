import { newestNode } from './newest-node.js'

/** What a `package.json` says of where the code beside it runs. */
export interface Manifest {
  readonly name: string | null
  /** Names of all packages that it needs, at run time or before. */
  readonly dependencies: ReadonlySet<string>
  /** It installs a command. */
  readonly hasCommand: boolean
  /** A script starts it. */
  readonly isStarted: boolean
  /** It is an extension of an editor. */
  readonly isForEditor: boolean
  /** Others may install it and import from it. */
  readonly isForOthers: boolean
  /** Its scripts start it with Bun or Deno. */
  readonly isStartedElsewhere: boolean
  /** It holds tests or what helps them: its name says so, or all that it does is to drive a browser through them. */
  readonly isForTests: boolean
  /** The newest Node that its `engines` allow; null where they allow any to come. */
  readonly newestNode: string | null
}

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** A manifest from what the file holds. */
export function manifestOf(manifest: Readonly<Record<string, unknown>>): Manifest {
  const names = FIELDS.flatMap((field) => (isRecord(manifest[field]) ? Object.keys(manifest[field]) : []))
  const { name, bin, engines, scripts } = manifest
  return {
    name: typeof name === 'string' ? name : null,
    dependencies: new Set(names),
    hasCommand: typeof bin === 'string' || isRecord(bin),
    isStarted: isRecord(scripts) && Object.keys(scripts).some((each) => START.test(each)),
    isForEditor: isRecord(engines) && 'vscode' in engines,
    isForOthers: isForOthers(manifest),
    isStartedElsewhere: isRecord(scripts) && startsElsewhere(scripts),
    isForTests: isForTests(manifest),
    newestNode: isRecord(engines) && typeof engines['node'] === 'string' ? newestNode(engines['node']) : null,
  }
}

/** Names of scripts that start a package: `start`, `start:prod`. */
const START = /^start(:|$)/

/** What only a package that is published says; `main` alone is in every manifest that a tool wrote. */
const PUBLISHED = ['exports', 'module', 'types', 'typings', 'publishConfig', 'files']

function isForOthers(manifest: Readonly<Record<string, unknown>>): boolean {
  const { private: isPrivate, main, scripts, dependencies } = manifest
  if (isPrivate === true || needsNeighbours(dependencies)) return false
  const isStarted = isRecord(scripts) && Object.keys(scripts).some((name) => START.test(name))
  return PUBLISHED.some((field) => manifest[field] !== undefined) || (main !== undefined && !isStarted)
}

/** `"log": "file:../log"`: who installs it from elsewhere does not get that. */
function needsNeighbours(dependencies: unknown): boolean {
  return isRecord(dependencies) && Object.values(dependencies).some((from) => typeof from === 'string' && /^(file|link):\.\./.test(from))
}

const STARTS = ['start', 'serve', 'dev']
/** `bun run --watch src/main.ts`, `deno run main.ts`; `bun run build` starts a script, in whatever runs that. */
const ELSEWHERE = /\b(bun|deno)\s+((run|serve|-\S+)\s+)*\S+\.[cm]?[jt]sx?\b/

/** The first of the scripts that start it decides. */
function startsElsewhere(scripts: Readonly<Record<string, unknown>>): boolean {
  const start = STARTS.map((name) => scripts[name]).find((script) => typeof script === 'string')
  return typeof start === 'string' && ELSEWHERE.test(start)
}

const NAME_OF_TESTS =
  /(^|[-_/])(e2e|test[-_]?(utils?|helpers?|harness|kit)|testing[-_]utils?|(e2e|integration|acceptance|smoke|functional)[-_]tests?)$/
const DRIVES_TESTS = /^(npx |yarn |pnpm (exec )?)?(playwright|cypress|wdio)\b/

/** A package that gives something to others, or needs something at run time, does more than its scripts tell. */
function isForTests({ name, scripts, main, exports, dependencies }: Readonly<Record<string, unknown>>): boolean {
  if (typeof name === 'string' && NAME_OF_TESTS.test(name)) return true
  if (!isRecord(scripts) || main !== undefined || exports !== undefined || dependencies !== undefined) return false
  const commands = Object.values(scripts)
  return commands.length > 0 && commands.every((command) => typeof command === 'string' && DRIVES_TESTS.test(command))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
