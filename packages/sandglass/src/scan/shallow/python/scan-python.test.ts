import { describe, expect, it } from 'vitest'
import { scanText } from '../parse.fixture.js'

/** Each line that ends in `# !` must have an error, in `# ?` a warning, and no other line may have a finding. */
async function marked(text: string) {
  const { diagnostics, findings } = await scanText('python', text)
  const bySign = { error: '!', warning: '?', info: 'i' }
  const found = findings.map((finding, index) => `${finding.split(' ')[0]} ${bySign[diagnostics[index]?.severity ?? 'info']}`)
  const wanted = text.split('\n').flatMap((line, index) => (/# ([!?])$/.exec(line) ? [`${index + 1} ${line.at(-1)}`] : []))
  return { found, wanted }
}

async function expectMarked(text: string) {
  const { found, wanted } = await marked(text)
  expect(found).toEqual(wanted)
}

describe('requests', () => {
  it('is unbounded without a timeout, and with None', async () => {
    await expectMarked(`
import requests

def load(url):
    r = requests.get(url) # !
    requests.post(url, json={"a": 1}, timeout=None) # !
    requests.request("PUT", url, data=b"") # !
    requests.put(url, timeout=5)
    return r.json()
`)
  })

  it('reads the timeouts that are written, in ms, and says where they are missing', async () => {
    const { calls, messages, diagnostics } = await scanText(
      'python',
      `import requests
SECONDS = 2
requests.get("https://a.internal/x", timeout=(3.05, 27))
requests.get("https://a.internal/y", timeout=SECONDS * 30)
requests.get("https://a.internal/z", timeout=(3, None))
requests.get("https://a.internal/v", timeout=config.timeout)
`,
    )
    expect(calls).toEqual(['3 requests 27000 silence', '4 requests 60000 silence', '5 requests unbounded', '6 requests unknown'])
    expect(messages).toEqual([
      'requests.get waits without a limit: None in line 5 switches it off; shallow: only the syntax of this file was looked at',
    ])
    expect(diagnostics[0]?.suggestion?.text).toContain('timeout=(connect, read)')
  })

  it('is followed through other names, sessions and attributes of self', async () => {
    await expectMarked(`
import requests as http
from requests import get as fetch, Session

fetch("http://a") # !
http.api.get("http://a") # !

class Client:
    def __init__(self):
        self.session = Session()
        self.session.headers.update({"a": "b"})
        self.session.auth = ("u", "p")

    def load(self):
        return self.session.get("http://a") # !

    def save(self):
        return self.session.post("http://a", timeout=3)

def once():
    with http.Session() as s:
        s.get("http://a") # !
        s.send(prepared, timeout=3)
`)
  })

  it('stays silent where a session may bring a timeout of its own', async () => {
    await expectMarked(`
import requests
from requests.adapters import HTTPAdapter

class TimeoutAdapter(HTTPAdapter):
    def send(self, *args, **kwargs):
        kwargs.setdefault("timeout", 5)
        return super().send(*args, **kwargs)

a = requests.Session()
a.mount("https://", TimeoutAdapter())
a.get("https://a")

b = requests.Session()
b.request = functools.partial(b.request, timeout=5)
b.get("https://a")

c = requests.Session()
c.mount("https://", HTTPAdapter(pool_maxsize=20))
c.get("https://a") # !

d = requests.Session()
configure_timeouts(d)
d.get("https://a")

class Own(requests.Session):
    pass

Own().get("https://a")

def f(session):
    session.get("https://a")

def g(session: requests.Session):
    session.get("https://a")
`)
  })

  it('stays silent where the arguments are open or requests is patched', async () => {
    await expectMarked(`
import requests
requests.get(url, **options)
requests.get(url, timeout=timeout)
requests.get(*args)
`)
    await expectMarked(`
import requests
requests.Session.request = with_timeout(requests.Session.request)
requests.get(url)
`)
  })

  it('is not taken for something else of that name', async () => {
    await expectMarked(`
import requests

# requests.get("http://x")
TEXT = "requests.get('http://x')"
"""
>>> requests.get("http://x")
"""

class Box:
    def __init__(self, requests):
        self.requests = requests

    def get(self):
        return self.requests.get("x")

def count(requests):
    return requests.get("x")

def local():
    requests = {}
    return requests.get("x")

for requests in queue:
    requests.get("x")
`)
    await expectMarked(`
from .http import requests, get
requests.get("x")
get("x")
`)
    await expectMarked(`
def get(url): return url
class requests:
    get = staticmethod(get)
requests.get("x")
`)
  })

  it('keeps to the scope of a name: a parameter in one function hides nothing in another', async () => {
    await expectMarked(`
import requests

def a(requests):
    return requests.get("x")

def b():
    return requests.get("http://x") # !

c = [requests.get(u) for u in urls] # !
d = [requests.get("k") for requests in boxes]
e = lambda requests: requests.get("k")
f = lambda u: requests.get(u) # !
`)
  })

  it('is found where an import is tried', async () => {
    await expectMarked(`
try:
    import requests
except ImportError:
    requests = None

def f():
    requests.get("http://x") # !
`)
  })
})

describe('the standard library', () => {
  it('has no timeout of its own', async () => {
    await expectMarked(`
import urllib.request
from urllib.request import urlopen, Request
import http.client
import smtplib
import socket

urllib.request.urlopen("http://x") # !
urlopen(Request("http://x"), timeout=None) # !
urlopen("http://x", None, 5)
urlopen("http://x", timeout=5)
urlopen("file:///etc/hosts")
urllib.request.urlretrieve("http://x", "f") # !
http.client.HTTPSConnection("x") # !
http.client.HTTPSConnection("x", timeout=3)
smtplib.SMTP("mail", 25) # !
smtplib.SMTP("mail", 25, timeout=10)
smtplib.SMTP()
socket.create_connection(("x", 80)) # !
socket.create_connection(("x", 80), 3)
socket.create_connection(("x", 80), timeout=3)
s = socket.create_connection(("x", 80))
s.settimeout(5)
`)
  })

  it('takes the timeout of the process', async () => {
    const { calls } = await scanText(
      'python',
      `import socket, urllib.request
socket.setdefaulttimeout(10)
urllib.request.urlopen("http://x")
socket.create_connection(("x", 80))
`,
    )
    expect(calls).toEqual(['3 urllib 10000 silence', '4 socket 10000 connect'])
  })

  it('is found in code for Python 2 and 3', async () => {
    await expectMarked(`
try:
    from urllib.request import urlopen
except ImportError:
    from urllib2 import urlopen

urlopen("http://x") # !
`)
    await expectMarked(`
from six.moves.urllib.request import urlopen
urlopen("http://x") # !
`)
  })

  it('says that the operating system ends a connect', async () => {
    const { messages } = await scanText('python', 'import socket\nsocket.create_connection(("x", 80))\n')
    expect(messages[0]).toContain('only the operating system gives up, after about two minutes')
  })
})

describe('httpx', () => {
  it('has a short default, which is not reported; None is', async () => {
    const { calls, findings } = await scanText(
      'python',
      `import httpx
httpx.get("http://x")
httpx.get("http://x", timeout=None)
with httpx.Client() as client:
    client.get("http://x")
    client.get("http://x", timeout=30)
slow = httpx.AsyncClient(timeout=None)
async def f():
    await slow.get("http://x")
    await slow.get("http://x", timeout=2)
fine = httpx.Client(timeout=httpx.Timeout(10.0, connect=60.0))
fine.get("http://x")
never_used_here = httpx.Client(timeout=httpx.Timeout(None))
`,
    )
    expect(calls).toEqual([
      '2 httpx 5000 silence',
      '3 httpx unbounded',
      '5 httpx 5000 silence',
      '6 httpx 30000 silence',
      '9 httpx unbounded',
      '10 httpx 2000 silence',
      '12 httpx 10000 silence',
      '13 httpx unbounded',
    ])
    expect(findings).toEqual(['3 unbounded-call', '7 unbounded-call', '13 unbounded-call'])
  })
})

describe('aiohttp', () => {
  it('ends after 300 s by its own default: a warning at the session, once', async () => {
    const { findings, messages, calls } = await scanText(
      'python',
      `import aiohttp
async def load(url):
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as response:
            await session.post(url, data=await response.read())
`,
    )
    expect(calls).toEqual(['4 aiohttp 300000 total', '5 aiohttp 300000 total'])
    expect(findings).toEqual(['3 default-bound'])
    expect(messages[0]).toBe(
      'nothing but the default of python aiohttp 3.8 ends aiohttp.ClientSession.get: 300 s (ClientTimeout.total); 2 calls use it; shallow: only the syntax of this file was looked at',
    )
  })

  it('follows the session into a function of the file', async () => {
    await expectMarked(`
import aiohttp
async def fetch(session, url):
    async with session.get(url) as r:
        return await r.json()
async def main(urls):
    async with aiohttp.ClientSession() as session: # ?
        return [await fetch(session, u) for u in urls]
`)
  })

  it('follows the session into a method, and into a function that calls itself', async () => {
    await expectMarked(`
import aiohttp
class Sender:
    async def loop(self):
        async with aiohttp.ClientSession() as session: # ?
            await self.send(session)
    async def send(self, session):
        await session.post("http://x")

async def walk(session, url):
    async with session.get(url) as r:
        await walk(session, r.url)
async def start():
    await walk(aiohttp.ClientSession(), "http://x") # ?

class Other:
    async def send(self, session):
        await session.post("http://x")
`)
  })

  it('reads ClientTimeout, which replaces the default as a whole', async () => {
    const { calls } = await scanText(
      'python',
      `import aiohttp
from aiohttp import ClientTimeout
async def f(u):
    await aiohttp.ClientSession(timeout=ClientTimeout(total=10)).get(u)
    await aiohttp.ClientSession(timeout=ClientTimeout(connect=5)).get(u)
    await aiohttp.ClientSession(timeout=ClientTimeout(total=None, sock_read=5)).get(u)
    await aiohttp.ClientSession(timeout=ClientTimeout(total=0)).get(u)
    await aiohttp.ClientSession().get(u, timeout=3)
    await aiohttp.ClientSession().get(u, timeout=ClientTimeout(total=7))
    await aiohttp.ClientSession(timeout=settings.timeout).get(u)
`,
    )
    expect(calls).toEqual([
      '4 aiohttp 10000 total',
      '5 aiohttp unbounded',
      '6 aiohttp 5000 silence',
      '7 aiohttp unbounded',
      '8 aiohttp 3000 total',
      '9 aiohttp 7000 total',
      '10 aiohttp unknown',
    ])
  })

  it('sees a limit that stands around the call', async () => {
    const { calls } = await scanText(
      'python',
      `import asyncio, aiohttp, async_timeout
async def f(u):
    session = aiohttp.ClientSession()
    await asyncio.wait_for(session.get(u), 3)
    await asyncio.wait_for(session.get(u), timeout=4)
    async with asyncio.timeout(5):
        await session.get(u)
    async with async_timeout.timeout(6):
        await session.get(u)
    async with my_timeout_scope():
        await session.get(u)
@with_timeout(10)
async def g(u):
    await aiohttp.ClientSession().get(u)
`,
    )
    expect(calls).toEqual([
      '4 aiohttp 3000 total',
      '5 aiohttp 4000 total',
      '7 aiohttp 5000 total',
      '9 aiohttp 6000 total',
      '11 aiohttp unknown',
      '14 aiohttp unknown',
    ])
  })
})

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

describe('boto3', () => {
  it('ends after 60 s by its own default', async () => {
    const { findings, messages, calls } = await scanText(
      'python',
      `import boto3
from botocore.config import Config
a = boto3.client("s3")
b = boto3.client("s3", config=Config(retries={"max_attempts": 2}))
c = boto3.client("s3", config=Config(read_timeout=5, connect_timeout=1))
d = boto3.Session(profile_name="x").resource("dynamodb")
e = boto3.client("s3", config=shared)
f = boto3.client("s3", **options)
`,
    )
    expect(findings).toEqual(['3 default-bound', '4 default-bound', '6 default-bound'])
    expect(calls).toEqual([
      '3 boto3 60000 silence',
      '4 boto3 60000 silence',
      '5 boto3 5000 silence',
      '6 boto3 60000 silence',
      '7 boto3 unknown',
      '8 boto3 unknown',
    ])
    expect(messages[0]).toContain('boto3/botocore 1.43 ends boto3.client: 60 s (read_timeout)')
  })
})

describe('urllib3', () => {
  it('takes the timeout of the request, else of the pool', async () => {
    const { calls, findings } = await scanText(
      'python',
      `import urllib3
http = urllib3.PoolManager()
http.request("GET", "http://x")
http.request("GET", "http://x", timeout=urllib3.Timeout(connect=1, read=4))
fine = urllib3.PoolManager(timeout=3)
fine.request("GET", "http://x")
`,
    )
    expect(calls).toEqual(['3 urllib3 unbounded', '4 urllib3 4000 silence', '6 urllib3 3000 silence'])
    expect(findings).toEqual(['2 unbounded-call'])
  })
})
