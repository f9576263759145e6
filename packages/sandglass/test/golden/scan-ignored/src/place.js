export const stock = (id) => fetch(`http://inventory/${id}`) // sandglass-ignore default-bound: a nightly job
// sandglass-ignore unbounded-call: nothing here waits for ever
export const other = () => fetch('http://other', { signal: AbortSignal.timeout(500) })
