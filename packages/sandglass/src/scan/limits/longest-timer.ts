/** The longest that a timer of JavaScript holds, in ms: one that is set for longer ends at once (measured on Node 20 and 24). */
export const longestTimerMs: number = 2 ** 31 - 1
