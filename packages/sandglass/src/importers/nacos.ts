import type { Source } from '../model/sourced.js'
import { type Importer, newFacts } from './facts.js'
import { insertedRows } from './sql-rows.js'

/**
 * What was exported from Nacos. A dump of its table is unpacked into its data IDs, which stand as `dump.sql!/namespace/GROUP/data-id` and are
 * read as what they are; the folders of an unpacked archive need nothing of this.
 */
export const nacos: Importer = {
  format: 'nacos',
  accepts: () => false,
  read: () => newFacts(),
  unpack: ({ file, text }) => (/\.sql$/i.test(file) && /\bconfig_info\b/i.test(text) ? dataIds(file, text) : []),
}

const EXTENSIONS: Readonly<Record<string, string>> = { yaml: '.yaml', yml: '.yaml', properties: '.properties', json: '.json' }

function dataIds(file: string, text: string): readonly Source[] {
  const found = new Map<string, Source>()
  for (const row of insertedRows(text, 'config_info')) {
    const [id, content] = [row.get('data_id'), row.get('content')]
    if (!id || content === undefined) continue
    const namespace = row.get('tenant_id') ?? ''
    const plain = id.replaceAll('/', '_')
    const extension = /\.\w+$/.test(plain) ? '' : (EXTENSIONS[row.get('type') ?? ''] ?? '')
    const path = `${namespace === '' ? '' : `${namespace}/`}${row.get('group_id') || 'DEFAULT_GROUP'}/${plain}${extension}`
    found.set(path, { file: `${file}!/${path}`, text: content, isConfig: true })
  }
  return [...found.values()]
}
