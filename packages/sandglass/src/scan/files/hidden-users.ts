import type { Manifest } from './manifest.js'
import type { Project } from './project.js'

/** What has files that are not read. */
const HAS_UNREAD = /^(svelte|@sveltejs\/kit|astro|ember-source|marko)$/
/** What imports into its own files what they only name. */
const IMPORTS_UNSEEN = /^(nuxt|unplugin-auto-import)$/
/** A configuration of such that names what stands elsewhere. */
const CONFIG = /(^|\/)(nuxt|vite)\.config\.\w+$/
const ELSEWHERE = /['"`]\.\.\//

/** Tells whether a file may be used by what is not read, or without being imported. */
export function hiddenUsersIn({ sources, packageOf, manifestOf }: Project): (file: string) => boolean {
  const files = new Map(sources.map(({ file }) => [packageOf(file), file]))
  const importing = new Set([...files].flatMap(([folder, file]) => (needs(IMPORTS_UNSEEN, manifestOf(file)) ? [folder] : [])))
  const isEverywhere =
    [...files.values()].some((file) => needs(HAS_UNREAD, manifestOf(file))) ||
    sources.some(({ file, text }) => CONFIG.test(file) && importing.has(packageOf(file)) && ELSEWHERE.test(text))
  return (file) => isEverywhere || importing.has(packageOf(file))
}

/** True where a manifest needs one of some packages. */
export function needs(packages: RegExp, manifest: Manifest | null): boolean {
  return [...(manifest?.dependencies ?? [])].some((name) => packages.test(name))
}
