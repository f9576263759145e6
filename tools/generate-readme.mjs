import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node } from './workspace.mjs'

/** So many lines of output are one screen beside the text: the first two findings. */
const SCREEN_LINES = 19

/**
 * The output in the README, from the very chain that stands above it: what a reader sees is what the program prints.
 * @param {string} root
 */
export async function generate(root) {
  const before = readFileSync(`${root}/README.md`, 'utf8')
  const chain = /```yaml\n(sandglass: 1\n[\s\S]*?)```/.exec(before)?.[1]
  if (!chain) throw new Error('README.md has no chain in a ```yaml block')
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-readme-'))
  try {
    writeFileSync(join(folder, 'sandglass.yaml'), chain)
    const { output } = await node('packages/sandglass/bin/sandglass.js', ['check', '--format', 'text'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    const lines = output.trimEnd().split('\n')
    const screen = [`$ npx sandglass check --format text | head -${SCREEN_LINES}`, '', ...lines.slice(0, SCREEN_LINES)].join('\n').trimEnd()
    const marked = /<!-- output: check -->(\n[\s\S]*?<!-- end -->)?/
    return { 'README.md': before.replace(marked, () => `<!-- output: check -->\n\`\`\`\n${screen}\n\`\`\`\n<!-- end -->`) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
