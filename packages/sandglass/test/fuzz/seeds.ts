import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The chain files of the examples and of the golden folders: what is mutated. */
export function seedTexts(): readonly string[] {
  const roots = ['../../../../examples', '../golden'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const texts = roots.flatMap(yamlBelow).map((file) => readFileSync(file, 'utf8'))
  return [...new Set(texts)].filter((text) => text.length < 20_000).sort((a, b) => a.length - b.length)
}

function yamlBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return yamlBelow(path)
    return /\.ya?ml$/.test(name) ? [path] : []
  })
}
