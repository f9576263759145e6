import { existsSync } from 'node:fs'
import { filesBelow } from './workspace.mjs'

const rules = 'packages/sandglass/src/rules'
/** Files of the folder that are no rules. */
const notRules = new Set(['all-rules', 'check-chain'])

/**
 * The ids of the rules below `root`: the names of their files.
 * @param {string} root
 * @returns {string[]}
 */
export function ruleIds(root) {
  const names = filesBelow(`${root}/${rules}`).filter((name) => /^[a-z0-9-]+\.ts$/.test(name))
  return names.map((name) => name.slice(0, -3)).filter((id) => !notRules.has(id))
}

/**
 * Where rule, test and page do not come together, one line each.
 * @param {string} root
 * @returns {string[]}
 */
export function trioProblems(root) {
  const ids = ruleIds(root)
  const needed = ids.flatMap((id) => [`${rules}/${id}.test.ts`, `docs/rules/${id}.md`].map((file) => ({ id, file })))
  const missing = needed.filter(({ file }) => !existsSync(`${root}/${file}`)).map(({ id, file }) => `rule ${id} has no ${file}`)
  const pages = filesBelow(`${root}/docs/rules`).filter((name) => /^[a-z0-9-]+\.md$/.test(name))
  const strays = pages.filter((name) => !ids.includes(name.slice(0, -3))).map((name) => `docs/rules/${name} is the page of no rule`)
  return [...missing, ...strays]
}
