import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { filesBelow } from './workspace.mjs'

const entries = new Set([
  'packages/runtime/src/index.ts',
  'packages/runtime/src/core/index.ts',
  'packages/runtime/src/testing/index.ts',
  'packages/sandglass/src/index.ts',
])
const vagueNames = /(^|\/)(utils?|helpers?|common|misc|shared|types)(\.ts$|\/)/
const folders = {
  'packages/runtime/src': ['core', 'adapters', 'sinks', 'testing'],
  'packages/sandglass/src': ['model', 'importers', 'rules', 'plan', 'diff', 'simulate', 'trace', 'scan', 'report', 'eslint', 'cli'],
}

/**
 * What is wrong with the names and the shape of the source files below `root`, one line each.
 * @param {string} root
 * @returns {string[]}
 */
export function layoutProblems(root) {
  return Object.entries(folders).flatMap(([base, known]) => {
    const names = filesBelow(`${root}/${base}`).filter((name) => name.endsWith('.ts'))
    return names.flatMap((name) => [...nameProblems(`${base}/${name}`, name, known), ...contentProblems(root, `${base}/${name}`)])
  })
}

function contentProblems(/** @type {string} */ root, /** @type {string} */ file) {
  if (file.endsWith('.test.ts')) return []
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.ES2023)
  const problems = file.startsWith('packages/runtime/src/core/') ? moduleState(source, file) : []
  if (!entries.has(file) && isBarrel(source)) problems.push(`${file}: only passes on what other files export; import those files`)
  return problems
}

function nameProblems(/** @type {string} */ file, /** @type {string} */ name, /** @type {readonly string[]} */ known) {
  const problems = []
  const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : null
  if (folder && !known.includes(folder)) problems.push(`${file}: the layout knows no folder "${folder}" (${known.join(', ')})`)
  if (vagueNames.test(name)) problems.push(`${file}: the name says nothing about what is in it; name the file for its one export`)
  if (!/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.laws)?(\.test|\.fixture|\.generated)?\.ts$/.test(name))
    problems.push(`${file}: not kebab-case`)
  if (/(^|\/)index\.ts$/.test(name) && !entries.has(file)) problems.push(`${file}: an inner index file; import the files themselves`)
  return problems
}

function isBarrel(/** @type {ts.SourceFile} */ source) {
  const passesOn = (/** @type {ts.Statement} */ each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined
  return source.statements.length > 0 && source.statements.every(passesOn)
}

/** A `let`, or a collection in a `const`, outside every function outlives the call: two simulations in one process would share it. */
function moduleState(/** @type {ts.SourceFile} */ source, /** @type {string} */ file) {
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const changes = (declarationList.flags & ts.NodeFlags.Const) === 0
    return declarationList.declarations
      .filter((each) => changes || holdsCollection(each.initializer))
      .map((each) => {
        const { line } = source.getLineAndCharacterOfPosition(each.getStart(source))
        return `${file}:${line + 1}: "${each.name.getText(source)}" is state of the module; core keeps its state in values`
      })
  })
}

function holdsCollection(/** @type {ts.Expression | undefined} */ value) {
  return (
    value !== undefined &&
    ts.isNewExpression(value) &&
    ts.isIdentifier(value.expression) &&
    /^(Map|WeakMap|WeakSet|Array|\w+Array)$/.test(value.expression.text)
  )
}
