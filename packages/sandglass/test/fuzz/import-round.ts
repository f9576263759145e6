import type { Source } from '../../src/model/sourced.js'
import { mutatedConfig } from './import-mutate.js'

/** One to three texts of a format, at least one of them changed; sometimes with a text of another format beside them. */
export function importRound(format: string, seeds: ReadonlyMap<string, readonly Source[]>, random: () => number): readonly Source[] {
  const own = seeds.get(format) ?? []
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const count = random() < 0.6 ? 1 : 2 + Math.floor(random() * 2)
  const chosen = Array.from({ length: count }, () => pick(own)).filter((source) => source !== undefined)
  const changed = chosen.map((source, index) =>
    index === 0 || random() < 0.4 ? { file: source.file, text: mutatedConfig(source.text, own, random) } : source,
  )
  const other = random() < 0.2 ? pick(pick([...seeds.values()]) ?? []) : undefined
  return (other ? [...changed, other] : changed).map(({ file, text }, index) => ({ file: index === 0 ? file : `${index}/${file}`, text }))
}
