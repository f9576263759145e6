import type { Backing } from '../service/messages.js'
import { createStock, dropStock } from '../service/postgres.js'
import { redisAnswers } from '../service/redis-store.js'
import { isAlive } from './leftovers.js'

/** The real servers a run uses, and how to tidy them up. */
export interface OpenedBacking {
  readonly backing: Backing
  /** One line that says what stands behind the services. */
  readonly what: string
  readonly close: () => Promise<void>
}

const POSTGRES_DEFAULT = 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_DEFAULT = 'redis://127.0.0.1:6379'

/** Looks for PostgreSQL (`DATABASE_URL`) and Redis (`REDIS_URL`), by default on this machine; what is not there is played by stand-ins. */
export async function openBacking(wantsStandIns: boolean, env: NodeJS.ProcessEnv): Promise<OpenedBacking> {
  const prefix = `sandglass_lab_${process.pid}`
  const [postgres, redis] = [env['DATABASE_URL'] ?? POSTGRES_DEFAULT, env['REDIS_URL'] ?? REDIS_DEFAULT]
  const postgresUrl = wantsStandIns || !(await succeeds(createStock(postgres, prefix, isAlive))) ? null : postgres
  const redisUrl = wantsStandIns || !(await redisAnswers(redis)) ? null : redis
  return {
    backing: { postgresUrl, redisUrl, prefix },
    what: `databases: ${postgresUrl === null ? 'stand-ins that wait as long as a database would' : 'PostgreSQL'}; last good answers: ${redisUrl === null ? 'in each process' : 'Redis'}`,
    async close() {
      if (postgresUrl !== null) await succeeds(dropStock(postgresUrl, prefix))
      if (redisUrl !== null) await redisAnswers(redisUrl, prefix)
    },
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch {
    return false
  }
}
