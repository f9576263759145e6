import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@sandglass\/runtime$/, replacement: source('runtime/src/index.ts') },
      { find: /^@sandglass\/runtime\/core$/, replacement: source('runtime/src/core/index.ts') },
      { find: /^@sandglass\/runtime\/testing$/, replacement: source('runtime/src/testing/index.ts') },
      { find: /^@sandglass\/runtime\/(adapters|sinks)\/(.*)$/, replacement: `${source('runtime/src')}/$1/$2.ts` },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'tools/**/*.test.ts',
      'spec/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    globalSetup: './tools/temporary-folder.mjs',
    reporters: ['default', './tools/count-reporter.mjs'],
    maxWorkers: 2,
    testTimeout: 90_000,
  },
})
