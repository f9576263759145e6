import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A folder for this lab's files; what labs that were killed left in the system's folder for temporary files is removed first. */
export function temporaryFolder(folder: string = tmpdir()): string {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^sandglass-lab-(\d+)[-.]/.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(folder, `sandglass-lab-${process.pid}-`))
}
