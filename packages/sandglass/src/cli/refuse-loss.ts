import { lookAt } from './look-at.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** Throws `Unusable` where a file whose name matches `precious`, or a link leads to such, has something in it that would be lost by writing to it. */
export function refuseLoss(file: string, precious: RegExp, system: System): void {
  const isPrecious = precious.test(file) || precious.test(system.folders.identity(file).replaceAll('\\', '/'))
  const there = isPrecious ? lookAt(file, system.folders) : null
  if (there?.kind === 'file' && there.size > 0)
    throw new Unusable([`${file}: is not written: there is a file of that name, which is no report; name another one, or remove it first`])
}
