import type { Diagnostic } from '../model/diagnostic.js'
import { oncePerCause } from '../model/once-per-cause.js'
import type { Rule } from '../model/rule.js'
import type { View } from '../model/view.js'

/** What the rules find in a chain, each cause once, in the order of the rules; `onRule` hears which one is next. */
export function runRules(view: View, rules: readonly Rule[], onRule: (id: string) => void = () => {}): readonly Diagnostic[] {
  return oncePerCause(
    rules.flatMap((rule) => {
      onRule(rule.id)
      return [...rule.check(view)]
    }),
  )
}
