/** Paths beyond this are not taken apart. */
const MAX_PATH = 4096

/** A folder as `a/b`: no `.`, no `..` that could be resolved, no slash at the end; empty for the current one. */
export function tidyFolder(path: string): string {
  if (path.length > MAX_PATH) return ''
  const slashed = path.replaceAll('\\', '/')
  const parts: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop()
    else parts.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + parts.join('/')
}

/** The folder a file is in; empty for the current one. */
export function folderOf(file: string): string {
  return tidyFolder(`${file}/..`)
}

/** Where `folder` is below `base` (both tidy): empty where they are the same, null where it is not below. */
export function pathBelow(folder: string, base: string): string | null {
  if (base === '') return folder.startsWith('/') || folder === '..' || folder.startsWith('../') ? null : folder
  if (folder === base) return ''
  const prefix = base === '/' ? base : `${base}/`
  return folder.startsWith(prefix) && !folder.startsWith('../', prefix.length) ? folder.slice(prefix.length) : null
}

/** A relative folder and those above it, the nearest first and the empty one last: `a/b`, `a`, ``. */
export function foldersUp(folder: string): readonly string[] {
  const up: string[] = []
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) up.push(at)
  return [...up, '']
}
