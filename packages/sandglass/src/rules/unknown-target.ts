import type { Chain } from '../model/chain.js'
import { anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { nearest } from '../model/nearest.js'
import { probedOperation } from '../model/probed-operation.js'
import { type Finding, findingAt, findingBeside, type Rule } from '../model/rule.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

/** Comparing names is the costly part: a file full of unknown ones gets so many comparisons, and the rest no suggestion. */
const MOST_COMPARISONS = 1_000_000

/** Finds the name that was meant, each word once. */
class Names {
  private left = MOST_COMPARISONS
  private readonly found = new Map<string, string | null>()

  constructor(private readonly chain: Chain) {}

  operation(word: string): string | null {
    return this.cached(`operation ${word}`, () => this.onlyOperationOf(word) ?? this.among(word, this.chain.operations))
  }

  operationOrService(word: string): string | null {
    return this.cached(`any ${word}`, () =>
      word.includes('.') ? this.among(word, this.chain.operations) : this.among(word, this.chain.services),
    )
  }

  among(word: string, names: ReadonlyMap<string, unknown>): string | null {
    this.left -= names.size
    return this.left < 0 ? null : nearest(word, names.keys())
  }

  private cached(key: string, find: () => string | null): string | null {
    const known = this.found.get(key)
    if (known !== undefined) return known
    const name = find()
    this.found.set(key, name)
    return name
  }

  /** `to: order` where order can be asked one thing only. */
  private onlyOperationOf(word: string): string | null {
    const operations = this.chain.services.get(word)?.operations
    const [only] = operations?.values() ?? []
    return operations?.size === 1 && only ? only.id : null
  }
}

function suggestion(name: Sourced<string>, meant: string | null): Suggestion | null {
  if (meant === null) return null
  const { spot } = name.origin
  const isAsWritten = spot.source.text.slice(spot.start, spot.end) === name.value
  const change: Change = { text: `${name.value} -> ${meant}`, edits: isAsWritten ? [{ spot, text: meant }] : [] }
  return anyOf([change])
}

function findingOf(what: string, name: Sourced<string>, kind: string, meant: string | null, known: number): Finding {
  const hint =
    meant === null
      ? `; ${known === 0 ? `there is no ${kind}` : `none of the ${known} ${kind}s is called that`}`
      : `; did you mean ${meant}?`
  return {
    rule: 'unknown-target',
    severity: 'error',
    message: `${what} names "${name.value}", which is no ${kind} of this chain${hint}`,
    why: 'Nothing behind this name is checked, so the chain looks sounder than it is.',
    spot: name.origin.spot,
    label: 'names nothing',
    values: { name: name.value, nearest: meant },
    factors: [{ name: 'name', value: name.value, unit: 'text', origin: name.origin }],
    suggestion: suggestion(name, meant),
  }
}

const isNamed = (name: string): boolean => name !== '' && name !== 'unknown'

function* calls(view: View, names: Names): Iterable<Diagnostic> {
  const { size } = view.chain.operations
  for (const visit of notableCalls(view).unresolved) {
    const { call } = visit
    if (call.callee || !isNamed(call.to.value)) continue
    yield findingAt(visit, findingOf(`a call of ${call.from.id}`, call.to, 'operation', names.operation(call.to.value), size))
  }
}

function* besides({ chain }: View, names: Names): Iterable<Diagnostic> {
  const operations = chain.operations.size
  for (const { name, start, starts } of chain.journeys) {
    if (start || !isNamed(starts.value)) continue
    yield findingBeside(findingOf(`journey ${name}`, starts, 'operation', names.operation(starts.value), operations), name, [starts.value])
  }
  for (const service of chain.services.values()) {
    const asked = service.probe?.operation
    if (!asked || !isNamed(asked.value) || probedOperation(service)) continue
    yield findingBeside(
      findingOf(`the probe of ${service.name}`, asked, 'operation', names.among(asked.value, service.operations), service.operations.size),
    )
  }
  yield* scenarios(chain, names)
}

function* scenarios(chain: Chain, names: Names): Iterable<Diagnostic> {
  const journeys = new Map(chain.journeys.map((journey) => [journey.name, journey]))
  for (const scenario of chain.scenarios) {
    for (const [name, load] of scenario.load) {
      if (journeys.has(name)) continue
      const named = { value: name, origin: load.origin }
      yield findingBeside(findingOf(`the load of scenario ${scenario.name}`, named, 'journey', names.among(name, journeys), journeys.size))
    }
    for (const { on } of scenario.faults) {
      if (!isNamed(on.value) || chain.operations.has(on.value) || chain.services.has(on.value)) continue
      yield findingBeside(
        findingOf(
          `a fault of scenario ${scenario.name}`,
          on,
          'operation or service',
          names.operationOrService(on.value),
          chain.operations.size,
        ),
      )
    }
  }
}

function* check(view: View): Iterable<Diagnostic> {
  const names = new Names(view.chain)
  yield* calls(view, names)
  yield* besides(view, names)
}

/** A name that names nothing. */
export const unknownTarget: Rule = {
  id: 'unknown-target',
  severity: 'error',
  summary: 'a name names nothing',
  check,
}
