/** Slots that calls hold on average when each lasts `boundMs`: ratePerS x bound (Little's law). */
export function slotsHeld(ratePerS: number, boundMs: number): number {
  return (ratePerS * boundMs) / 1000
}

/** Calls per second a pool completes when every call lasts `boundMs`: 200 slots at 3 s give 66.667, at 30 s 6.667. */
export function saturatesAtPerS(slots: number, boundMs: number): number {
  return (slots * 1000) / boundMs
}

/** Time in ms until a pool is full once its calls stop returning: slots / rate. */
export function fullAfterMs(slots: number, ratePerS: number): number {
  return (slots * 1000) / ratePerS
}

/** The largest bound in ms with which hanging calls keep to 80 % of the slots: 0.8 x slots / rate. */
export function largestBoundMs(slots: number, ratePerS: number): number {
  return (0.8 * slots * 1000) / ratePerS
}
