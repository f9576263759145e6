// The directions of ARCHITECTURE.md. Each rule's `comment` is the reason; tools/canary.test.ts plants a violation of each and expects it caught.

const runtime = '^packages/runtime/src'
const sandglass = '^packages/sandglass/src'
const siblings = '(importers|rules|plan|diff|simulate|trace|scan)'
const test = '\\.(test|fixture)\\.ts$'
const node = { dependencyTypes: ['core'] }
const npm = { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'] }

/**
 * @param {string} name
 * @param {string} comment
 * @param {Record<string, unknown>} from
 * @param {Record<string, unknown>} to
 */
const forbid = (name, comment, from, to) => ({ name, comment, severity: /** @type {const} */ ('error'), from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid(
      'core-imports-nothing',
      'Core decides from its parameters alone, so that the simulator can drive it with virtual time.',
      { path: `${runtime}/core/`, pathNot: test },
      { pathNot: `${runtime}/core/` },
    ),
    forbid(
      'clock-and-context-are-the-floor',
      'The rest of the runtime stands on them; they must not lead back up to it.',
      { path: `${runtime}/(clock|context)\\.ts$` },
      { path: `${runtime}/((call|serve|together|detach)\\.ts$|adapters/)`, reachable: true },
    ),
    forbid(
      'nothing-imports-an-adapter',
      'An adapter is a leaf: who does not use its framework must not load it.',
      { path: `${runtime}/`, pathNot: [`${runtime}/adapters/`, test] },
      { path: `${runtime}/adapters/` },
    ),
    forbid(
      'adapters-are-strangers',
      'One adapter must not need the framework of another; what two need belongs in the runtime.',
      { path: `${runtime}/adapters/([^/]+)`, pathNot: test },
      { path: `${runtime}/adapters/`, pathNot: `${runtime}/adapters/$1` },
    ),
    forbid(
      'testing-is-for-tests',
      'The manual clock must not be reachable from production code.',
      { path: `${runtime}/`, pathNot: [`${runtime}/testing/`, test] },
      { path: `${runtime}/testing/` },
    ),
    forbid(
      'runtime-node-imports',
      'Everything else in the runtime must run where there is no Node; of serve.ts only the types of node:http are used.',
      { path: `${runtime}/`, pathNot: [`${runtime}/(clock|context|observe|limits-file|serve)\\.ts$`, `${runtime}/adapters/`, test] },
      node,
    ),
    forbid(
      'one-async-local-storage',
      'Only context.ts stores, clock.ts detaches its timers; a second AsyncLocalStorage costs every await about 55 ns on Node 20.',
      { path: `${runtime}/`, pathNot: [`${runtime}/(context|clock)\\.ts$`, test] },
      { path: '^(node:)?async_hooks$' },
    ),
    forbid(
      'runtime-has-no-dependencies',
      'Users audit one package, and adapters describe their framework structurally.',
      { path: `${runtime}/`, pathNot: test },
      npm,
    ),

    forbid(
      'model-is-the-base',
      'What crosses folders is defined below all of them.',
      { path: `${sandglass}/model/`, pathNot: test },
      { path: `${sandglass}/`, pathNot: `${sandglass}/model/` },
    ),
    forbid(
      'siblings-are-strangers',
      'What two of them need belongs in model.',
      { path: `${sandglass}/${siblings}/`, pathNot: test },
      { path: `${sandglass}/`, pathNot: `${sandglass}/(model|$1)/` },
    ),
    forbid(
      'report-prints-and-does-nothing-else',
      'Diagnostics in, text out.',
      { path: `${sandglass}/report/`, pathNot: test },
      { path: `${sandglass}/`, pathNot: [`${sandglass}/(report|model)/`, `${sandglass}/${siblings}/`] },
    ),
    forbid(
      'nothing-imports-the-cli',
      'The CLI is the outermost ring.',
      { path: `${sandglass}/`, pathNot: [`${sandglass}/cli/`, test] },
      { path: `${sandglass}/cli/` },
    ),
    forbid(
      'the-editor-scans-and-does-nothing-else',
      'The plugin for ESLint is an edge like the CLI, and a small one: it must start fast in an editor.',
      { path: `${sandglass}/eslint/`, pathNot: test },
      { path: `${sandglass}/`, pathNot: `${sandglass}/(eslint|scan|model)/` },
    ),
    forbid(
      'nothing-imports-the-entry',
      'index.ts names what is public; inside, import the file.',
      { path: `${sandglass}/`, pathNot: test },
      { path: `${sandglass}/index\\.ts$` },
    ),
    forbid(
      'only-cli-imports-node',
      'The engine must run in a browser worker unchanged.',
      { path: `${sandglass}/`, pathNot: [`${sandglass}/(cli|eslint)/`, test] },
      node,
    ),
    forbid(
      'engine-takes-core-only',
      'Of the runtime the engine uses the pure decisions; the rest brings AsyncLocalStorage and timers.',
      { path: `${sandglass}/`, pathNot: [`${sandglass}/cli/`, test] },
      { path: '^packages/runtime/dist/', pathNot: '^packages/runtime/dist/core/index\\.(d\\.ts|js)$', dependencyTypesNot: ['type-only'] },
    ),

    forbid(
      'packages-meet-at-their-exports',
      'What is not exported may change at any time.',
      { path: '^(packages/[^/]+|apps/[^/]+|examples|spec)/' },
      { path: '^packages/([^/]+)/src/', pathNot: '^$1/' },
    ),
    forbid(
      'no-tests-in-production',
      'A test may use everything, so nothing may use a test.',
      { pathNot: [test, '/test/', '/bench/'] },
      { path: [test, '^packages/[^/]+/(test|bench)/'] },
    ),
    forbid(
      'no-value-cycle',
      'Modules in a circle see each other half-initialised.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'not-resolvable',
      'The import leads nowhere: no such file, or no such name in the exports of the package.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^packages/[^/]+/dist'] },
    exclude: { path: ['^packages/[^/]+/api/', '/golden/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.d.ts', '.json'],
    },
    moduleSystems: ['es6'],
  },
}
