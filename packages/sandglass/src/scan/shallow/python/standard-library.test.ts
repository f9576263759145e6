import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('python', text)

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
