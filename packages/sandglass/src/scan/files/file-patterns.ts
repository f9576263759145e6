import type { Source } from '../../model/sourced.js'
import { folderOf, foldersUp } from '../lockfile/folder-path.js'

/** A text of a source that stands for files: `src/entity/*.ts`. */
export interface FilePattern {
  /** The file that it stands in. */
  readonly of: string
  readonly finds: (file: string) => boolean
}

const PATTERN = /['"`]([^'"`\s*]*\*[^'"`\s]*)['"`]/g
/** What stands for a folder that is not known: `../models/*.js`. */
const OPEN = /^(\.*|\$\{.*\}|~|@)$/
/** `.ts`, `.{ts,js}`; what is put in by `${parts}` is none. */
const ENDS_AS_CODE = /\.[cm]?[jt]sx?$|(?<!\$)\{[^{}]*[jt]sx?[^{}]*\}$/
const ENDS_OPEN = /\*$/

/** The patterns of files of code that stand in a source. */
export function filePatternsIn({ file, text }: Source): readonly FilePattern[] {
  return [...text.matchAll(PATTERN)].flatMap(([, pattern = '']) => {
    const parts = pattern.split('/')
    const last = parts.pop() ?? ''
    const first = parts.findIndex((part) => part.includes('*'))
    const fixed = (first < 0 ? parts : parts.slice(0, first)).filter((part) => !OPEN.test(part))
    if (fixed.some((part) => !/^@?[\w.-]+$/.test(part))) return []
    if (!ENDS_AS_CODE.test(last) && (fixed.length === 0 || !ENDS_OPEN.test(last))) return []
    return [{ of: file, finds: finderOf(fixed.join('/'), last, first >= 0) }]
  })
}

/** Files in such a folder, or below it where the pattern is open before its last name. */
function finderOf(fixed: string, last: string, isDeep: boolean): FilePattern['finds'] {
  const ending = /([\w.-]*)(\{[^{}]*\})?$/.exec(last)?.[1] ?? ''
  const named = ending.replace(/\.[cm]?[jt]sx?$/, '')
  return (file) => {
    const home = folderOf(file)
    const folders = isDeep ? foldersUp(home) : [home]
    const isThere = fixed === '' || folders.some((folder) => folder === fixed || folder.endsWith(`/${fixed}`))
    return isThere && file.slice(home.length).includes(named)
  }
}
