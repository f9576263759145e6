import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a client is found although its options come from an environment with thousands of entries', () => {
  const entries = Array.from({ length: 3000 }, (_, k) => `V${k}: z.string().optional()`).join(', ')
  const scanned = scanTexts({
    files: {
      'env.ts': `import { z } from 'zod'\nexport const env = z.object({ ${entries} }).parse(process.env)`,
      'pool.ts': `import { Pool } from 'pg'; import { env } from './env'
const options = { user: env.V1, password: env.V2, host: env.V3, port: env.V4, database: env.V5, ssl: env.V6 ? { ca: env.V7 } : undefined }
export class Db { static pool = null
  static get() { if (Db.pool) return Db.pool
    Db.pool = new Pool({ ...options, max: env.V8, idleTimeoutMillis: env.V9 }); return Db.pool } }`,
      'use.ts': `import { Db } from './pool'\nexport const load = () => Db.get().query('select 1')`,
    },
  })
  expect(callLines(scanned)).toEqual(['2 pg unbounded'])
})

test('the options of a client keep their names though each value comes from an environment with many entries', () => {
  const entries = Array.from({ length: 60 }, (_, k) => `V${k}: str({ default: '' })`).join(', ')
  const scanned = scanTexts({
    files: {
      'env.js': `const { cleanEnv, str } = require('envalid')\nmodule.exports = cleanEnv(process.env, { ${entries} })`,
      'redis.js': `const Redis = require('ioredis')\nconst env = require('./env')
const options = { host: env.V1, port: env.V2, db: env.V3, username: env.V4, ...(env.V5 && { password: env.V5 }) }
const open = new Redis(options)
const limited = new Redis({ ...options, commandTimeout: 300 })
module.exports = { get: (key) => open.get(key), find: (key) => limited.get(key) }`,
    },
  })
  expect(callLines(scanned)).toEqual(['6 ioredis unbounded', '6 ioredis bounded 300 total'])
})
