import type { Project } from './project.js'

/** The Node that a file runs in, as far as it is known: of an image, a file or the user, else the newest that `engines` allow. */
export function nodeAt({ versionOf, manifestOf }: Pick<Project, 'versionOf' | 'manifestOf'>, file: string): string | null {
  return versionOf('node', file) ?? manifestOf(file)?.newestNode ?? null
}
