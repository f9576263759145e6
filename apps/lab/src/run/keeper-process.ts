// Waits for the lab to be gone and ends what it left: also processes that were stopped and cannot leave by themselves.
const kept = new Set<number>()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('message', ({ keep, gone }: { keep?: number; gone?: number }) => {
  if (keep !== undefined) kept.add(keep)
  if (gone !== undefined) kept.delete(gone)
})
process.on('disconnect', () => {
  for (const pid of kept) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
  process.exit(0)
})
