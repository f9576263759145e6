import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { node } from './workspace.mjs'

/** So many lines of output are one screen beside the text: the first two findings of a chain, all of a file of code. */
const [CHECK_LINES, SCAN_LINES] = [19, 40]

/**
 * The output in the README, from the very chain and the very code that stand above it: what a reader sees is what the program prints.
 * @param {string} root
 */
export async function generate(root) {
  const before = readFileSync(`${root}/README.md`, 'utf8')
  const chain = blockOf(before, 'yaml', 'sandglass: 1\n')
  const code = blockOf(before, 'ts', '// src/orders.ts\n')
  const checked = await screenOf({ 'sandglass.yaml': chain }, ['check', '--format', 'text'], CHECK_LINES)
  const scanned = await screenOf({ 'src/orders.ts': code }, ['scan', '--format', 'text'], SCAN_LINES)
  return { 'README.md': withOutput(withOutput(before, 'check', checked), 'scan', scanned) }
}

/**
 * @param {string} text
 * @param {string} language
 * @param {string} start
 */
function blockOf(text, language, start) {
  const found = text.split(`\`\`\`${language}\n`).find((part) => part.startsWith(start))
  if (!found) throw new Error(`README.md has no block of ${language} that begins with ${start.trim()}`)
  return found.slice(0, found.indexOf('```'))
}

/**
 * @param {Readonly<Record<string, string>>} files
 * @param {readonly string[]} args
 * @param {number} most
 */
async function screenOf(files, args, most) {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-readme-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const { output } = await node('packages/sandglass/bin/sandglass.js', [...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    const lines = output.trimEnd().split('\n')
    const head = lines.length > most ? ` | head -${most}` : ''
    return [`$ npx sandglass ${args.join(' ')}${head}`, '', ...lines.slice(0, most)].join('\n').trimEnd()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} screen
 */
function withOutput(text, name, screen) {
  const marked = new RegExp(`<!-- output: ${name} -->(\\n\`\`\`\\n[\\s\\S]*?<!-- end -->)?`)
  return text.replace(marked, () => `<!-- output: ${name} -->\n\`\`\`\n${screen}\n\`\`\`\n<!-- end -->`)
}
