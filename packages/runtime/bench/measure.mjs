// What one process measures: CPU time and allocated bytes per operation, printed as one line of JSON.

/** With so large a young generation no collection falls into a sample: right for bytes, wrong for time, since the caches do not hold it. */
const BYTES_FLAGS = ['--max-semi-space-size=128', '--min-semi-space-size=128']

/** What a process that measures time, or bytes, is started with. */
export const NODE_FLAGS = { ns: ['--expose-gc', '--no-warnings'], bytes: ['--expose-gc', '--no-warnings', ...BYTES_FLAGS] }

/** Runs `operation` one after the other and says what one costs: CPU time, or allocated bytes, by the flags the process was started with. */
export async function measure(/** @type {(n: number) => unknown} */ operation, times = 200_000) {
  for (let n = 0; n < times / 10; n++) await operation(n)
  globalThis.gc?.()
  if (process.execArgv.includes(BYTES_FLAGS[0] ?? '')) {
    const sample = times / 40
    const heapBefore = process.memoryUsage().heapUsed
    for (let n = 0; n < sample; n++) await operation(n)
    return { bytes: (process.memoryUsage().heapUsed - heapBefore) / sample }
  }
  const cpuBefore = process.cpuUsage()
  for (let n = 0; n < times; n++) await operation(n)
  const { user, system } = process.cpuUsage(cpuBefore)
  return { ns: ((user + system) * 1000) / times }
}

/** The middle one of several numbers. */
export function median(/** @type {readonly number[]} */ numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
