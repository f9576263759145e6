import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// `npx vitest run --config apps/lab/vitest.config.ts`: the lab's own tests, against the built packages it would be given by npm.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', '../../tools/count-reporter.mjs'],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
