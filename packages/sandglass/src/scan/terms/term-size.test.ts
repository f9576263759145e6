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
