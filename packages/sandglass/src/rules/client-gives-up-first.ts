import type { Rule } from '../model/rule.js'
import { inversionFindings } from './measure/inversions.js'

/** An inversion whose outer layer is a client: the user has left when the answer comes. */
export const clientGivesUpFirst: Rule = {
  id: 'client-gives-up-first',
  severity: 'error',
  summary: 'the user leaves before the server answers',
  check: (view) => inversionFindings(view, 'client-gives-up-first'),
}
