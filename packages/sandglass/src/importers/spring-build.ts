import type { Source } from '../model/sourced.js'
import { addNote, type FactsDraft } from './facts.js'
import { isBuildFile } from './spring-modules.js'
import { type Entry, relaxed } from './spring-settings.js'
import { templateIn } from './templates.js'

const TOKEN = /@([\w.-]{1,100})@/g

/**
 * Settings with what the build puts in the place of `@token@`, where the build files above tell it. The token that is the active profile is the
 * profile that was asked for, where one was.
 */
export function withBuildTokens(
  entries: readonly Entry[],
  {
    folder,
    sources,
    asked,
    draft,
  }: { readonly folder: string; readonly sources: readonly Source[]; readonly asked: readonly string[]; readonly draft: FactsDraft },
): readonly Entry[] {
  const profile = entries.find(({ key }) => isActiveProfile(key))
  const own = profile ? [...rawOf(profile).matchAll(TOKEN)][0]?.[1] : undefined
  const valueOf = (token: string) => (token === own && asked[0] !== undefined ? asked[0] : buildValue(token, folder, sources))
  return entries.map((entry) => {
    const raw = rawOf(entry)
    if (!raw.includes('@')) return entry
    const text = raw.replace(TOKEN, (whole, token: string) => valueOf(token) ?? whole)
    if (text === raw || (text === '' && isActiveProfile(entry.key))) return entry
    if (isActiveProfile(entry.key) && asked.length === 0)
      addNote(draft, 'unknown', entry.written.spot, `spring.profiles.active: taken as ${text}, which the build puts in by default`)
    return { key: entry.key, written: { text, spot: entry.written.spot } }
  })
}

function isActiveProfile(key: string): boolean {
  return relaxed(key).replace(/\[\d+\]$/, '') === 'spring.profiles.active'
}

/** A value as it is written: a token at its begin is masked where YAML is read. */
function rawOf({ written: { text, spot } }: Entry): string {
  if (templateIn(text) === null && !text.includes('@')) return text
  return spot.source.text.slice(spot.start, Math.min(spot.end, spot.start + MAX_VALUE)).replace(/^(["'])(.*)\1$/s, '$2')
}

const MAX_VALUE = 2_000

function buildValue(token: string, folder: string, sources: readonly Source[]): string | null {
  const above = sources.filter((source) => isBuildFile(source) && folder.startsWith(source.file.slice(0, source.file.lastIndexOf('/') + 1)))
  const nearest = above.toSorted((a, b) => b.file.length - a.file.length)
  if (/^(project\.|pom\.)?artifactId$/.test(token)) return artifactIn(nearest[0]?.text ?? '')
  for (const { text } of nearest) {
    const value = propertyIn(text, token)
    if (value !== null) return value
  }
  return null
}

/** The module's own name, not its parent's or one that it uses. */
function artifactIn(text: string): string | null {
  const own = text.replace(/<!--[\s\S]*?-->/g, '').replace(/<(parent|dependencies|dependencyManagement|build|profiles)>[\s\S]*?<\/\1>/g, '')
  return /<artifactId>\s*([\w.-]{1,100})\s*</.exec(own)?.[1] ?? null
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

/** True where the build brings Ribbon along: Spring Cloud up to Hoxton does with Feign. */
export function hasRibbon(folder: string, builds: readonly Source[]): boolean {
  const above = builds.filter(({ file }) => folder.startsWith(file.slice(0, file.lastIndexOf('/') + 1)))
  return above.some(({ text }) => {
    const plain = text.replace(/<!--[\s\S]*?-->/g, '')
    return /netflix-ribbon/.test(plain) || /\b(Dalston|Edgware|Finchley|Greenwich|Hoxton)\.(SR\d+|RELEASE|BUILD)/.test(plain)
  })
}

/** A Maven property: of the profile that is active by default, or one that has the same value everywhere. */
function propertyIn(text: string, name: string): string | null {
  const plain = text.replace(/<!--[\s\S]*?-->/g, '')
  const of = (part: string): readonly string[] =>
    [...part.matchAll(new RegExp(`<${name.replaceAll('.', '\\.')}>\\s*([\\w.-]{0,100})\\s*</`, 'g'))].flatMap((found) => found[1] ?? [])
  const active = [...plain.matchAll(/<profile>[\s\S]*?<\/profile>/g)]
    .map(([part]) => part)
    .find((part) => /<activeByDefault>\s*true/.test(part))
  const [value, ...rest] = [...new Set(active && of(active).length > 0 ? of(active) : of(plain))]
  return value !== undefined && rest.length === 0 ? value : null
}
