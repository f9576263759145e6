import { type Setting, settingIn } from '../limits/settings.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'
import type { Client } from './library-model.js'
import { firstSetting, isAddress, settingInUrl } from './url-settings.js'

/** A setting of a client of Redis from what its constructor got: `(port, host, options)`, `(url, options)`, `(options)`. */
export function settingAmongArgs(args: readonly Term[], name: string, evaluator: Evaluator): Setting {
  return firstSetting(
    args.map((arg, k) => {
      if (isAddress(arg)) return settingInUrl(arg, [name])
      // What stands before other arguments is a port or an address.
      if (k < args.length - 1 && arg.kind !== 'object') return { state: 'absent' }
      return settingIn(arg, name, evaluator)
    }),
  )
}

/** A setting of a client, of its own or of the one it is a duplicate of. */
export function settingOfRedis(client: Client | null, name: string, evaluator: Evaluator): Setting {
  const all: Setting[] = []
  for (let here = client; here; here = here.parent) {
    const isHandedIn = here.args.length === 0 && here.options?.kind === 'unknown'
    all.push(isHandedIn ? { state: 'unknown', why: 'the client is handed in' } : settingAmongArgs(here.args, name, evaluator))
  }
  return firstSetting(all)
}

/** The client of ioredis that a term is, of several the first; null for anything else. */
export function ioredisArgs(term: Term | undefined): readonly Term[] | null {
  if (term?.kind === 'either') return term.of.map(ioredisArgs).find((args) => args !== null) ?? null
  return term?.kind === 'made' && term.callee.kind === 'external' && term.callee.package === 'ioredis' ? term.args : null
}
