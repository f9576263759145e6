import { append } from '../../model/append.js'
import { folderOf } from '../lockfile/folder-path.js'
import type { Project } from './project.js'
import { requestsOf } from './requests-of.js'

/** So many other files of a folder, and this share of them, are imported by name where something lists them. */
const MIN_LISTED = 3
const MIN_SHARE = 0.75
const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/

/** Tells whether most of what stands beside a file is imported by name, so that nothing looks for files there. */
export function listedFoldersIn(project: Project, isOfTests: (file: string) => boolean): (file: string) => boolean {
  let asked: { readonly isImported: (file: string) => boolean; readonly inFolder: ReadonlyMap<string, readonly string[]> } | null = null
  return (file) => {
    asked ??= askedIn(project, isOfTests)
    const { isImported } = asked
    const others = (asked.inFolder.get(folderOf(file)) ?? []).filter((each) => each !== file)
    const listed = others.filter(isImported).length
    return listed >= MIN_LISTED && listed >= MIN_SHARE * others.length
  }
}

function askedIn({ sources, resolve }: Project, isOfTests: (file: string) => boolean) {
  const counted = sources.filter(({ file }) => CODE.test(file) && !isOfTests(file))
  const byStem = new Map<string, { from: string; request: string }[]>()
  const inFolder = new Map<string, string[]>()
  for (const { file, text } of counted) {
    append(inFolder, folderOf(file), file)
    for (const request of requestsOf(text)) append(byStem, stemOf(request), { from: file, request })
  }
  const known = new Map<string, boolean>()
  const isImportedNow = (file: string) =>
    (byStem.get(stemOf(file)) ?? []).some(({ from, request }) => {
      const to = resolve(request, from)
      return from !== file && to.kind === 'file' && to.file === file
    })
  const isImported = (file: string) => {
    const found = known.get(file) ?? isImportedNow(file)
    known.set(file, found)
    return found
  }
  return { isImported, inFolder }
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[cm]?[jt]sx?$/, '')
}
