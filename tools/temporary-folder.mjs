import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests of a run one temporary folder, which others may enter (a database server that is no root), and removes it at the end: workers are killed and clean nothing up. */
export default function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-tests-'))
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
