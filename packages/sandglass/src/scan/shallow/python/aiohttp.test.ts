import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('python', text)

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
      'nothing but the default of python aiohttp N ends aiohttp.ClientSession.get: 300 s (ClientTimeout.total); at least 2 calls use it; shallow: only the syntax of this file was looked at',
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
