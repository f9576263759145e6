import type { Source } from '../model/sourced.js'

const CONFIG_MAP = /^[ \t]*"?kind"?:[ \t]*"?ConfigMap\b/m
const BLOCK = /^([ \t]+)["']?([\w.-]{1,100}\.(?:conf|cfg|cnf|ini|toml|ya?ml|json|properties|py))["']?:[ \t]*\|[-+\d]*[ \t]*(?:#.*)?$/
const MAX_FILES = 200

/**
 * The files that ConfigMaps hold: `nginx.conf: |` with what stands below it. A file is called `map.yaml!/name/nginx.conf`; its lines have the
 * numbers they have in the map, without the indentation.
 */
export function filesOfConfigMaps(source: Source): readonly Source[] {
  if (!/\.(ya?ml|tpl)$/.test(source.file) || !CONFIG_MAP.test(source.text)) return []
  const files: Source[] = []
  let line = 0
  for (const document of source.text.split(/^---.*$/m)) {
    const lines = document.split('\n')
    const name = nameIn(document)
    if (CONFIG_MAP.test(document) && name !== null) files.push(...filesIn(lines, line, { source, name }))
    line += lines.length - 1
    if (files.length >= MAX_FILES) break
  }
  return files.slice(0, MAX_FILES)
}

function nameIn(document: string): string | null {
  const found =
    /^metadata:[ \t]*(?:\{[^}\n]{0,300}?\bname:[ \t]*["']?([\w.-]{1,253})|(?:#[^\n]*)?\r?\n(?:[ \t][^\n]*\n){0,30}?[ \t]+name:[ \t]*["']?([\w.-]{1,253}))/m.exec(
      document,
    )
  return found ? (found[1] ?? found[2] ?? null) : null
}

function filesIn(
  lines: readonly string[],
  before: number,
  { source, name }: { readonly source: Source; readonly name: string },
): readonly Source[] {
  const files: Source[] = []
  for (let index = 0; index < lines.length; index++) {
    const found = BLOCK.exec((lines[index] ?? '').replace(/\r$/, ''))
    if (!found) continue
    const [, indent = '', key = ''] = found
    const end = endOf(lines, index + 1, indent.length)
    const block = lines.slice(index + 1, end)
    const inner = Math.min(...block.filter((each) => each.trim() !== '').map(indentOf))
    const text = block.map((each) => each.slice(Number.isFinite(inner) ? inner : 0)).join('\n')
    files.push({ ...source, file: `${source.file}!/${name}/${key}`, text: `${'\n'.repeat(before + index + 1)}${text}` })
    index = end - 1
  }
  return files
}

/** The line after a block: the first one that is not indented more than its key. */
function endOf(lines: readonly string[], from: number, indent: number): number {
  const after = lines.slice(from).findIndex((line) => line.trim() !== '' && indentOf(line) <= indent)
  return after < 0 ? lines.length : from + after
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
