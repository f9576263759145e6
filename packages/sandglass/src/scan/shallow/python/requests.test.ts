import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('python', text)

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
PAIR = (3.05, 12)
requests.get("https://a.internal/u", timeout=PAIR)
`,
    )
    expect(calls).toEqual([
      '3 requests 27000 silence',
      '4 requests 60000 silence',
      '5 requests unbounded',
      '6 requests unknown',
      '8 requests 12000 silence',
    ])
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
