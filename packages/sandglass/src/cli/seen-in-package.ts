import type { ServiceKind } from '../model/chain.js'
import type { Source } from '../model/sourced.js'
import { plainName, type SeenService } from './first-chain.js'

const clients: readonly (readonly [string, ServiceKind, string])[] = [
  ['pg', 'database', 'postgres'],
  ['postgres', 'database', 'postgres'],
  ['mysql2', 'database', 'mysql'],
  ['mongodb', 'database', 'mongodb'],
  ['mongoose', 'database', 'mongodb'],
  ['@prisma/client', 'database', 'database'],
  ['redis', 'cache', 'redis'],
  ['ioredis', 'cache', 'redis'],
  ['kafkajs', 'queue', 'kafka'],
  ['amqplib', 'queue', 'rabbitmq'],
  ['stripe', 'third-party', 'stripe'],
]

/** The service of a package.json, and what its client libraries call. */
export function seenInPackage({ file, text }: Source): readonly SeenService[] {
  const parsed = parsedObject(text)
  const name = typeof parsed?.['name'] === 'string' ? plainName(parsed['name']) : null
  if (!parsed || name === null) return []
  const depends = new Set(Object.keys(Object(parsed['dependencies']) as object))
  const found = clients.filter(([library]) => depends.has(library))
  const called = new Map(found.map(([library, kind, to]) => [to, { library, kind }]))
  return [
    { name, kind: 'service', why: file, calls: [...called].map(([to, { library }]) => ({ to, why: `${file} depends on ${library}` })) },
    ...[...called].map(([to, { library, kind }]): SeenService => ({ name: to, kind, why: `${file} depends on ${library}`, calls: [] })),
  ]
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}
