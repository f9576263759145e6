import { firstText } from '../calls/target-text.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Attempts, readingOf } from '../limits/reading.js'
import { settingIn, settingOf } from '../limits/settings.js'
import { spotOf } from '../syntax/module.js'
import type { Term } from '../terms/term.js'
import { firstHolding } from './first-holding.js'
import type { Following, LibraryModel, Site } from './library-model.js'

/** superagent: nothing is limited unless `.timeout(…)` is called on the request or its agent; `.retry(n)` adds attempts. */
export const superagentModel: LibraryModel = {
  id: 'superagent',
  packages: ['superagent'],
  clients: [{ kind: 'agent', on: null, made: ['agent'], optionsAt: -1 }],
  calls: [null, 'agent'].map((on) => ({
    on,
    method: /^(agent\(\)\.)?(timeout\(\)\.|set\(\)\.|retry\(\)\.)*(get|post|put|patch|head|del|delete|)$/,
    optionsAt: -1,
  })),
  read(site) {
    const timeout = site.followedBy.find(({ name }) => name === 'timeout')?.args[0] ?? agentTimeout(site)
    const total = timeoutPart(site, timeout, 'deadline', 'total')
    const response = timeoutPart(site, timeout, 'response', 'headers')
    return readingOf({
      attempt: total.state === 'none' ? null : total,
      phases: [{ what: 'the answer', kind: 'total', limit: firstHolding(total, response) }],
      attempts: retriesOf(site),
      remedy: '.timeout({ response: …, deadline: … }) (ms)',
    })
  },
  targetOf: ({ args }) => firstText(args[0]),
}

/** `.timeout(300)` is a deadline. */
function timeoutPart(site: Site, term: Term | undefined, part: 'deadline' | 'response', kind: 'total' | 'headers'): LimitState {
  const reading = { setting: part, kind }
  if (!term) return limitFrom({ state: 'absent' }, site, reading)
  const whole = settingOf(term)
  if (whole.state === 'given')
    return part === 'deadline' ? limitFrom(whole, site, { ...reading, setting: 'timeout' }) : limitFrom({ state: 'absent' }, site, reading)
  return limitFrom(settingIn(term, part, site.evaluator), site, reading)
}

/** `superagent.agent().timeout(300)` holds for all its requests. */
function agentTimeout({ client, evaluator }: Site): Term | undefined {
  if (!client) return undefined
  for (let here = client.at.node.parent; here?.type === 'MemberExpression' || here?.type === 'CallExpression'; here = here.parent) {
    if (
      here.type === 'CallExpression' &&
      here.callee.type === 'MemberExpression' &&
      here.callee.property.type === 'Identifier' &&
      here.callee.property.name === 'timeout'
    ) {
      const [first] = here.arguments
      return first && first.type !== 'SpreadElement' ? evaluator.termOf(first, client.at.module) : undefined
    }
  }
  return undefined
}

function retriesOf(site: Site): Attempts | null {
  const call: Following | undefined = site.followedBy.find(({ name }) => name === 'retry')
  if (!call) return null
  const setting = call.args[0] ? settingOf(call.args[0]) : ({ state: 'given', value: 1 } as const)
  const retries = setting.state === 'given' && typeof setting.value === 'number' ? setting.value : 1
  const spot = spotOf(call.at.node, call.at.module)
  return retries > 0 ? { count: 1 + retries, waitMs: [0, 0], name: 'retry', spot, isDefault: false } : null
}
