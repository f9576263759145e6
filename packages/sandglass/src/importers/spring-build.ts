import type { Source, Spot } from '../model/sourced.js'
import { isBuildFile } from './spring-modules.js'

const MAX_TOKEN = 120

/** What a build puts in the place of `@token@` at a spot, from the build files above; null where they do not tell. */
export function buildToken(spot: Spot, folder: string, sources: readonly Source[]): string | null {
  const token = /^["']?@([\w.-]{1,100})@/.exec(spot.source.text.slice(spot.start, spot.start + MAX_TOKEN))?.[1]
  if (token === undefined) return null
  const above = sources.filter((source) => isBuildFile(source) && folder.startsWith(source.file.slice(0, source.file.lastIndexOf('/') + 1)))
  for (const { text } of above.toSorted((a, b) => b.file.length - a.file.length)) {
    const value = propertyIn(text, token)
    if (value !== null) return value
  }
  return null
}

/** True where a build file above a folder has spring-retry. */
export function hasSpringRetry(folder: string, sources: readonly Source[]): boolean {
  return sources.some(
    (source) =>
      isBuildFile(source) &&
      folder.startsWith(source.file.slice(0, source.file.lastIndexOf('/') + 1)) &&
      /[>:'"]spring-retry['"<:]/.test(source.text.replace(/<!--[\s\S]*?-->/g, '')),
  )
}

/** A Maven property: of the profile that is active by default, or one that has the same value everywhere. */
function propertyIn(text: string, name: string): string | null {
  const plain = text.replace(/<!--[\s\S]*?-->/g, '')
  const of = (part: string): readonly string[] =>
    [...part.matchAll(new RegExp(`<${name.replaceAll('.', '\\.')}>\\s*([\\w.-]{1,100})\\s*</`, 'g'))].flatMap((found) => found[1] ?? [])
  const active = [...plain.matchAll(/<profile>[\s\S]*?<\/profile>/g)]
    .map(([part]) => part)
    .find((part) => /<activeByDefault>\s*true/.test(part))
  const [value, ...rest] = [...new Set(active && of(active).length > 0 ? of(active) : of(plain))]
  return value !== undefined && rest.length === 0 ? value : null
}
