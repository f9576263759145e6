import type { Node } from 'oxc-parser'
import type { CallersOf } from '../calls/callers.js'
import type { Site } from '../models/library-model.js'
import type { Caller } from '../scan-view.js'
import type { Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import type { Frame } from '../terms/substitute.js'
import type { CallsOf } from './bull-jobs.js'
import { guardsAround } from './climb.js'
import { guardsOfEffect } from './effect.js'
import { functionUsesAmong } from './function-uses.js'
import type { Guard } from './guard.js'
import { isToldToStop } from './told-to-stop.js'

/** What finding guards needs. */
export interface Guarding {
  readonly evaluator: Evaluator
  readonly callersOf: CallersOf
  readonly callsOf: CallsOf
}

/** What stands around the calls of some modules, from the inside out. */
export function guardsAmong(
  modules: readonly Module[],
  { evaluator, callersOf, callsOf }: Guarding,
): (site: Site, caller: Caller | null) => readonly Guard[] {
  const uses = functionUsesAmong(modules, evaluator, callersOf)
  const known = new Map<FunctionNode, Map<string, readonly Guard[]>>()
  return (site, caller) => {
    if (site.method === 'new' && !isPromised(site)) return []
    const { node, module } = site.at
    const ofEffect = guardsOfEffect(node, module, evaluator)
    const around = guardsAround(node, {
      evaluator,
      uses,
      callsOf,
      reckoning: { evaluator, module, frame: caller && frameOf(node, caller, callersOf), counted: new Map() },
      within: null,
      caller,
      isTold: isToldToStop(site),
      library: site.model.id,
      visited: new Set(),
      repeats: [],
      known,
    })
    return ofEffect.length === 0 ? around : [...around, ...ofEffect]
  }
}

function isPromised({ model, client }: Site): boolean {
  return model.clients.some(({ kind, isPromised: isWaitedFor = false }) => isWaitedFor && kind === client?.kind)
}

/** What a caller gives to the function around a call. */
function frameOf(start: Node, caller: Caller, callersOf: CallersOf): Frame | null {
  for (let of = functionAround(start); of; of = functionAround(of)) {
    if (callersOf(of).includes(caller)) return { of, args: caller.args, self: caller.self }
  }
  return null
}
