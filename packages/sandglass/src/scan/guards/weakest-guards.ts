import type { Guard } from './guard.js'

/** Of what stands around several uses of the same function, that which lets the call last longest. */
export function weakestGuards(all: readonly (readonly Guard[])[]): readonly Guard[] {
  const [first, ...rest] = all
  return rest.reduce<readonly Guard[]>((weakest, guards) => (isWeaker(guards, weakest) ? guards : weakest), first ?? [])
}

function isWeaker(a: readonly Guard[], b: readonly Guard[]): boolean {
  const [ofA, ofB] = [limitOf(a), limitOf(b)]
  return ofA === ofB ? attemptsOf(a) > attemptsOf(b) : ofA > ofB
}

/** The tightest limit; one that is not known when counts as tight, so that nothing is claimed. */
function limitOf(guards: readonly Guard[]): number {
  return Math.min(...guards.flatMap((guard) => (guard.kind === 'limit' ? [guard.ms ?? 0] : [])))
}

function attemptsOf(guards: readonly Guard[]): number {
  return guards.reduce((count, guard) => (guard.kind === 'retry' ? count * (guard.count ?? 1) : count), 1)
}

/** Where a caller that is not seen chooses between a limit and none, nobody can tell. */
export function withoutChoice(uses: readonly { readonly guards: readonly Guard[]; readonly isChosen: boolean }[]): (readonly Guard[])[] {
  const limited = uses.filter(({ guards, isChosen }) => isChosen && guards.some(({ kind }) => kind === 'limit'))
  if (limited.length === 0) return uses.map(({ guards }) => guards)
  const unknown = limited.map(({ guards }) => guards.map((guard) => (guard.kind === 'limit' ? { ...guard, ms: null } : guard)))
  return [...unknown, ...uses.flatMap(({ guards, isChosen }) => (isChosen ? [] : [guards]))]
}
