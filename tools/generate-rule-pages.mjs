import { readFileSync } from 'node:fs'
import { filesBelow } from './workspace.mjs'

/**
 * The pages of the rules as data of the CLI, so that `sandglass explain` needs no file beside it.
 * @param {string} root
 */
export function generate(root) {
  const names = filesBelow(`${root}/docs/rules`).filter((name) => /^[a-z0-9-]+\.md$/.test(name))
  const entries = names.map((name) => {
    const text = readFileSync(`${root}/docs/rules/${name}`, 'utf8')
    return `  ${JSON.stringify(name.slice(0, -3))}: { title: ${JSON.stringify(titleOf(text))}, text: ${JSON.stringify(text)} },\n`
  })
  const file = 'packages/sandglass/src/cli/rule-pages.generated.ts'
  const head =
    '// Written by tools/generate-rule-pages.mjs from docs/rules; do not edit.\n\n/** A rule in half a sentence, and its page in Markdown. */\nexport interface RulePage {\n  readonly title: string\n  readonly text: string\n}\n\n'
  return {
    [file]: `${head}/** The page of every rule, by its id. */\nexport const rulePages: Readonly<Record<string, RulePage>> = {\n${entries.join('')}}\n`,
  }
}

/** The first sentence below the heading, without markup. */
function titleOf(/** @type {string} */ text) {
  const body = text.replace(/^#.*\n+/, '').split(/\n\s*\n/)[0] ?? ''
  const plain = body.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()
  return /^(.*?[^.])\.( |$)/.exec(plain)?.[1] ?? plain
}
