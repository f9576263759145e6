import type { Site } from './library-model.js'

/** A library as a sentence has it: `axios 1.7.2`, `fetch of Node 20.20.2`; beside a version stands the package that has it. */
export function libraryName({
  model,
  takenFrom,
  version,
  packageName,
}: Pick<Site, 'model' | 'takenFrom' | 'version' | 'packageName'>): string {
  const id = takenFrom?.startsWith('node:') ? takenFrom : model.id
  const isBuiltIn = model.packages.every((name) => name === 'global' || name.startsWith('node:'))
  if (version === null) return isBuiltIn ? id : (installedAs(model.packages, id, takenFrom) ?? id)
  if (!isBuiltIn) return `${packageName ?? model.id} ${version}`
  return id.startsWith('node:') ? `${id} (Node ${version})` : `${id} of Node ${version}`
}

/** What is to be installed of a library that is called otherwise; null where its name is that of a package, or nobody knows which it is. */
function installedAs(packages: readonly string[], id: string, takenFrom: string | null): string | null {
  if (packages.includes(id)) return null
  const [first = '*'] = packages
  return takenFrom ?? (first.endsWith('*') ? null : first)
}
