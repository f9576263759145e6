/** The folder of a path with a slash at its end; empty for a file that lies in none. */
export function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}

/** The last part of a path. */
export function fileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
