import { type Term, unknownTerm } from '../terms/term.js'

/** What is written in a configuration that a client is made of: `new Api(new Configuration({ … }))`. */
export function configured(term: Term | undefined): Term | undefined {
  return term?.kind === 'made' ? term.args[0] : (term ?? unknownTerm('the client is made elsewhere'))
}
