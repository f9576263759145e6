/**
 * Waits for so many ms, or until the signal aborts (then it rejects with the signal's reason). Node's timers count whole ms: the
 * fraction is played by chance, so that the mean is right.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
      Math.min(2 ** 31 - 1, Math.floor(ms + Math.random())),
    )
    signal?.addEventListener('abort', onAbort)
  })
}

/** Never ends by itself. */
export function hang(signal?: AbortSignal): Promise<never> {
  return sleep(2 ** 31 - 1, signal) as Promise<never>
}
