import type { Source } from '../model/sourced.js'

const BUILD = /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/

/** The version of Druid: of the nearest build file above a folder that tells it, else of all that are here where they tell the same one. */
export function druidVersion(folder: string, sources: readonly Source[]): string | null {
  const builds = sources.filter(({ file }) => BUILD.test(file))
  const above = builds.filter(({ file }) => folder.startsWith(folderOf(file))).toSorted((a, b) => b.file.length - a.file.length)
  for (const { text } of above) {
    const version = versionIn(text)
    if (version !== null) return version
  }
  const [version, ...others] = new Set(builds.flatMap(({ text }) => versionIn(text) ?? []))
  return version !== undefined && others.length === 0 ? version : null
}

/** True where one of the modules has Druid's starter, which makes data sources without a type Druid's. */
export function hasDruidStarter(roots: readonly string[], sources: readonly Source[]): boolean {
  const folders = new Set(roots)
  return sources.some(
    ({ file, text }) =>
      BUILD.test(file) &&
      folders.has(folderOf(file)) &&
      /druid-spring-boot(-\d)?-starter/.test(
        text
          .replace(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
          .replace(/<(dependencyManagement|exclusions)>[\s\S]*?<\/\1>/g, ''),
      ),
  )
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}

const ARTIFACT = /<artifactId>\s*druid(?:-spring-boot(?:-\d)?-starter)?\s*<\/artifactId>\s*<version>\s*([^<\s]{1,100})/
const GRADLE = /com\.alibaba:druid(?:-spring-boot(?:-\d)?-starter)?:(\d[\w.-]*)/
const PROPERTY = /<druid(?:[.-][\w.-]{1,40})?>\s*(\d[\w.-]*)/

function versionIn(text: string): string | null {
  const plain = text.replace(/<!--[\s\S]*?-->/g, '')
  const written = ARTIFACT.exec(plain)?.[1] ?? GRADLE.exec(plain)?.[1]
  if (written !== undefined && /^\d/.test(written)) return written
  const name = /^\$\{([\w.-]+)\}$/.exec(written ?? '')?.[1]
  const property = name === undefined ? undefined : new RegExp(`<${name.replaceAll('.', '\\.')}>\\s*(\\d[\\w.-]*)`).exec(plain)?.[1]
  return property ?? PROPERTY.exec(plain)?.[1] ?? null
}
