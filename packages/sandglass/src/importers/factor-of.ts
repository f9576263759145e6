/** Waits that grow faster than this are a typing mistake. */
const MAX_FACTOR = 1000

/** The factor of a back-off as a text has it: above 0 and at most 1000; `otherwise` where it is none. Templates are no number either. */
export function factorOf(text: string | undefined, otherwise: number): number {
  const factor = /^\d{1,10}(\.\d{1,10})?$/.test(text ?? '') ? Number(text) : 0
  return factor > 0 && factor <= MAX_FACTOR ? factor : otherwise
}
