// Reads and parses the sources below a folder, and does nothing with them: what a scan is measured against.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const kept = []
const folders = [process.argv[2] ?? '.']
for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name)
    if (entry.isDirectory()) folders.push(file)
    else if (/\.[cm]?[jt]sx?$/.test(file)) {
      const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'jsx'
      kept.push(parseSync(file, readFileSync(file, 'utf8'), { lang, sourceType: 'unambiguous' }).program)
    }
  }
}
console.error(`${kept.length} files parsed`)
