import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('python', text)

describe('databases', () => {
  it('says of psycopg2 only what its arguments or a readable text tell', async () => {
    await expectMarked(`
import psycopg2
psycopg2.connect(dbname="a", user="b", host="c") # !
psycopg2.connect("dbname=a user=b") # !
psycopg2.connect(f"host={h} dbname=a") # !
psycopg2.connect("dbname=a connect_timeout=3")
psycopg2.connect(dbname="a", connect_timeout=3)
psycopg2.connect(dbname="a", options="-c statement_timeout=5000")
psycopg2.connect(DATABASE_URL)
psycopg2.connect(**params)
psycopg2.connect(os.environ["DATABASE_URL"])
psycopg2.connect(dbname="a", user="b", async_=True)
`)
  })

  it('finds PyMySQL without a read timeout', async () => {
    const { calls } = await scanText(
      'python',
      `import pymysql
pymysql.connect(host="h", user="u")
pymysql.connect(host="h", user="u", read_timeout=5)
pymysql.connect(**config)
`,
    )
    expect(calls).toEqual(['2 pymysql unbounded', '3 pymysql 5000 statement', '4 pymysql unknown'])
  })

  it('warns of redis-py, whose default depends on the version', async () => {
    const { findings, messages, diagnostics } = await scanText('python', 'import redis\nr = redis.Redis(host="h")\n')
    expect(findings).toEqual(['2 unbounded-call'])
    expect(diagnostics[0]?.severity).toBe('warning')
    expect(messages[0]).toContain('redis-py is none in <8.0, 5 s in >=8.0')
  })

  it('leaves redis clients alone that must wait or whose settings are elsewhere', async () => {
    await expectMarked(`
import redis
from redis import Redis, StrictRedis
from redis.asyncio import Redis as AsyncRedis
import redis.asyncio as aredis
from rq import Queue

Redis(host="h", socket_timeout=2)
StrictRedis(host="h") # ?
AsyncRedis(host="h") # ?
aredis.from_url("redis://h") # ?
redis.from_url("redis://h?socket_timeout=3")
redis.from_url(URL)
redis.Redis(connection_pool=pool)
redis.Redis(connection_pool=redis.ConnectionPool(host="h")) # ?
redis.Redis(host="h", socket_timeout=None) # !
redis.Redis(**options)

subscriber = Redis(host="h")
subscriber.pubsub().subscribe("a")
worker = Redis(host="h")
queue = Queue(connection=worker)
`)
  })
})
