import { existsSync } from 'node:fs'
import { filesBelow } from './workspace.mjs'

/** Rules about chains and rules about source code; both may say the same thing, and then share a page. */
const folders = ['packages/sandglass/src/rules', 'packages/sandglass/src/scan/rules']
/** Files of the folders that are no rules. */
const notRules = new Set(['all-rules', 'check-chain'])

/**
 * The ids of the rules in a folder below `root`: the names of their files.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function ruleIds(root, folder) {
  if (!existsSync(`${root}/${folder}`)) return []
  const names = filesBelow(`${root}/${folder}`).filter((name) => /^[a-z0-9-]+\.ts$/.test(name))
  return names.map((name) => name.slice(0, -3)).filter((id) => !notRules.has(id))
}

/**
 * Where rule, test and page do not come together, one line each.
 * @param {string} root
 * @returns {string[]}
 */
export function trioProblems(root) {
  const found = folders.flatMap((folder) => ruleIds(root, folder).map((id) => ({ id, folder })))
  const needed = found.flatMap(({ id, folder }) => [`${folder}/${id}.test.ts`, `docs/rules/${id}.md`].map((file) => ({ id, file })))
  const missing = needed.filter(({ file }) => !existsSync(`${root}/${file}`)).map(({ id, file }) => `rule ${id} has no ${file}`)
  const pages = filesBelow(`${root}/docs/rules`).filter((name) => /^[a-z0-9-]+\.md$/.test(name))
  const strays = pages
    .filter((name) => !found.some(({ id }) => `${id}.md` === name))
    .map((name) => `docs/rules/${name} is the page of no rule`)
  return [...missing, ...strays]
}
