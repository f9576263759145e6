import type { SnapshotStore } from '@sandglass/runtime'
import { Redis } from 'ioredis'

/** Redis as the place where last good answers and accepted wishes are kept. */
export interface RedisStore {
  readonly store: SnapshotStore
  /** Appends to the list of what is to be done later. */
  readonly defer: (key: string) => void
  readonly close: () => void
}

/** Opens a connection; rejects when there is no such server. Keys start with `prefix` and expire. */
export async function openRedis(url: string, prefix: string): Promise<RedisStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1000,
    commandTimeout: 200,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => (times > 3 ? null : 200),
  })
  redis.on('error', () => undefined)
  await redis.connect()
  return {
    store: {
      get: (key) => redis.get(`${prefix}:${key}`),
      set: (key, text, maxAgeMs) => redis.set(`${prefix}:${key}`, text, 'PX', Math.ceil(maxAgeMs)),
    },
    defer: (key) =>
      void redis
        .pipeline()
        .rpush(`${prefix}:deferred`, key)
        .pexpire(`${prefix}:deferred`, 600_000)
        .exec()
        .catch(() => undefined),
    close: () => redis.disconnect(),
  }
}

/** Whether a Redis answers there; clears what labs with this prefix left when asked to. */
export async function redisAnswers(url: string, clearPrefix?: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1000,
    commandTimeout: 1000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    if (clearPrefix !== undefined) await clear(redis, clearPrefix)
    return true
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

async function clear(redis: Redis, prefix: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: `${prefix}:*` }) as AsyncIterable<string[]>)
    if (keys.length > 0) await redis.del(...keys)
}
