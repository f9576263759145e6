export const a = (u) => fetch(u, { signal: AbortSignal.timeout(500) })
