import type { Source } from '../model/sourced.js'

/** Release trains of Spring Cloud and the version of spring-cloud-openfeign in them, where one train has one minor version. */
const TRAINS: readonly (readonly [RegExp, string])[] = [
  [/^(Finchley|2\.0)/i, '2.0'],
  [/^Greenwich/i, '2.1'],
  [/^2020\.0/, '3.0'],
  [/^2021\.0/, '3.1'],
  [/^2022\.0/, '4.0'],
  [/^2023\.0/, '4.1'],
  [/^2024\.0/, '4.2'],
  [/^2025\.0/, '4.3'],
  [/^2025\.[1-9]/, '5.0'],
  [/^2026/, '5.0'],
]

/** The version of spring-cloud-openfeign, from the nearest build file above a folder; Hoxton had several, so it tells nothing. */
export function cloudVersion(folder: string, sources: readonly Source[]): string | null {
  return nearest(folder, sources, openfeignIn)
}

/** The version of Spring Boot, from the nearest build file above a folder. */
export function bootVersion(folder: string, sources: readonly Source[]): string | null {
  return nearest(folder, sources, bootIn)
}

/** The version of Resilience4j, from the nearest build file above a folder. */
export function resilienceVersion(folder: string, sources: readonly Source[]): string | null {
  return nearest(folder, sources, resilienceIn)
}

function nearest(folder: string, sources: readonly Source[], versionIn: (text: string) => string | null): string | null {
  const builds = sources.filter(({ file }) => /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/.test(file))
  const above = builds.filter(({ file }) => folder.startsWith(file.slice(0, file.lastIndexOf('/') + 1)))
  for (const { text } of above.toSorted((a, b) => b.file.length - a.file.length)) {
    const version = versionIn(text)
    if (version !== null) return version
  }
  return null
}

function openfeignIn(text: string): string | null {
  const direct =
    /spring-cloud(?:-starter)?-openfeign<\/artifactId>\s*<version>\s*(\d[\w.-]*)|spring-cloud(?:-starter)?-openfeign:(\d[\w.-]*)/.exec(text)
  if (direct) return direct[1] ?? direct[2] ?? null
  const train =
    /<spring-cloud(?:-dependencies)?\.version>\s*([\w.-]+)|springCloudVersion['"]?\s*[,=]\s*['"]([\w.-]+)|spring-cloud-dependencies:([\w.-]+)|spring-cloud-dependencies<\/artifactId>\s*<version>\s*([\w.-]+)/.exec(
      text,
    )
  const name = train?.slice(1).find((group) => group !== undefined)
  return name === undefined ? null : (TRAINS.find(([pattern]) => pattern.test(name))?.[1] ?? null)
}

function resilienceIn(text: string): string | null {
  const found =
    /<resilience4j(?:\.|-)version>\s*(\d[\w.-]*)|<artifactId>resilience4j-[\w-]+<\/artifactId>\s*<version>\s*(\d[\w.-]*)|:resilience4j-[\w-]+:(\d[\w.-]*)/.exec(
      text,
    )
  return found?.slice(1).find((group) => group !== undefined) ?? null
}

function bootIn(text: string): string | null {
  const found =
    /<artifactId>spring-boot-(?:starter-parent|dependencies)<\/artifactId>\s*<version>\s*(\d[\w.-]*)|<spring-boot(?:-dependencies)?\.version>\s*(\d[\w.-]*)|org\.springframework\.boot['"]?\)?\s*version\s*\(?['"](\d[\w.-]*)|spring-boot-(?:dependencies|gradle-plugin):(\d[\w.-]*)/.exec(
      text,
    )
  return found?.slice(1).find((group) => group !== undefined) ?? null
}
