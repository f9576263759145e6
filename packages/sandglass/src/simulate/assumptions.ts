import type { Chain, Scenario } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
export function assumptionsOf(_chain: Chain, _scenario: Scenario): readonly Note[] { return [] }
