// The defaults of products as data of importers and scan: packages/sandglass/data/timeout-defaults.csv is the table people edit.
import { readFileSync } from 'node:fs'

const COLUMNS = ['system', 'version', 'setting', 'unit', 'default', 'phase', 'unbounded_by_default']

/**
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function generate(root) {
  const [head = [], ...rows] = recordsOf(readFileSync(`${root}/packages/sandglass/data/timeout-defaults.csv`, 'utf8'))
  const at = COLUMNS.map((name) => head.indexOf(name))
  if (at.includes(-1)) throw new Error(`timeout-defaults.csv: the columns ${COLUMNS.join(', ')} were expected; found ${head.join(', ')}`)
  const lines = rows.map((row) => at.map((index) => row[index] ?? ''))
  const odd = lines.find((line) => line.some((text) => /[\t\n]/.test(text)))
  if (odd) throw new Error(`timeout-defaults.csv: a tab or a line break in ${odd.join(', ')}`)
  const text = lines.map((line) => line.join('\t')).join('\n')
  return {
    'packages/sandglass/src/model/timeout-defaults.generated.ts': [
      '// Written by tools/generate-defaults.mjs from packages/sandglass/data/timeout-defaults.csv; do not edit.',
      '',
      `/** Defaults of products, a line each: ${COLUMNS.join(', ')}, with tabs between. */`,
      `export const timeoutDefaults: string = ${JSON.stringify(text)}`,
      '',
    ].join('\n'),
  }
}

/** RFC 4180: fields may be quoted, a quote in them is doubled. */
function recordsOf(/** @type {string} */ text) {
  /** @type {string[][]} */
  const records = []
  /** @type {string[]} */
  let record = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/gy
  for (let found = field.exec(text); found && found.index < text.length; found = field.exec(text)) {
    record.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'))
    if (found[3] === ',') continue
    records.push(record)
    record = []
  }
  return records
}
