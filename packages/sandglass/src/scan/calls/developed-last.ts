import type { Spot } from '../../model/sourced.js'
import { isOfDevelopment } from '../files/of-development.js'
import type { Project } from '../files/project.js'
import type { SeenCall } from '../scan-view.js'

/** The calls in their order, those last whose cause only development runs: of two with the same lack the other one is told. */
export function developedLast(calls: readonly SeenCall[], causeOf: (seen: SeenCall) => Spot, { moduleOf }: Project): readonly SeenCall[] {
  const isDeveloped = (seen: SeenCall) => {
    const { source, start } = causeOf(seen)
    const module = moduleOf(source.file)
    return module !== null && isOfDevelopment(start, module)
  }
  const developed = new Set(calls.filter(isDeveloped))
  return developed.size === 0 ? calls : [...calls.filter((seen) => !developed.has(seen)), ...developed]
}
