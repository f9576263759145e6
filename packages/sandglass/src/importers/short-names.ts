import type { ServiceFact } from './facts.js'
import { numbered } from './numbered.js'

/** A name in a chain file has at most 200 characters, and a journey's is made of both. */
const MAX_SERVICE = 80
const MAX_OPERATION = 100

/** The services with names that a chain file can hold: short, without blanks, and each operation with one of its own; generated configs have names of any kind. */
export function withShortNames(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const taken = new Set(services.map(({ name }) => name))
  return services.map((service) => {
    const { operations } = service
    const fit = fitText(service.name, /[\s.]+/g, MAX_SERVICE)
    const name = fit === service.name ? fit : freeName(fit, taken)
    const names = operations.map((operation) => fitText(operation.name, /\s+/g, MAX_OPERATION))
    const areFit = new Set(names).size === names.length && names.every((each, index) => each === operations[index]?.name)
    if (name === service.name && areFit) return service
    const renamed = operations.map((operation, index) => ({ ...operation, name: names[index] ?? operation.name }))
    return { ...service, name, operations: areFit ? operations : numbered(renamed) }
  })
}

function fitText(name: string, unfit: RegExp, most: number): string {
  const fit = name.replace(unfit, '-').slice(0, most)
  return fit === '' ? 'unnamed' : fit
}

function freeName(base: string, taken: Set<string>): string {
  let free = base
  for (let count = 2; taken.has(free); count++) free = `${base}-${count}`
  taken.add(free)
  return free
}
