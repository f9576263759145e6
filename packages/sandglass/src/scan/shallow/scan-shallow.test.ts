import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parserOf, scanText } from './parse.fixture.js'
import { scanShallow } from './scan-shallow.js'
import type { ShallowLanguage } from './shallow-language.js'

const SAMPLES: Readonly<Record<ShallowLanguage, string>> = {
  go: `package main

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
)

type API struct{ client *http.Client; db *sql.DB }

func New() *API { return &API{client: &http.Client{Timeout: 5 * time.Second}} }

func (a *API) Load(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	_ = resp
	for i := 0; i < 3; i++ {
		http.Get(url)
	}
	rows, err := a.db.Query("SELECT 1")
	conn, _ := net.Dial("tcp", url)
	rdb := redis.NewClient(&redis.Options{Addr: "x", ReadTimeout: -1})
	c, _ := grpc.Dial(url, grpc.WithBlock())
	return nil
}
`,
  java: `package a.b;
import java.net.*;
import java.net.http.*;
import org.springframework.web.client.RestTemplate;
class A {
  private final RestTemplate rest = new RestTemplate();
  void f(String u) throws Exception {
    HttpURLConnection c = (HttpURLConnection) new URL(u).openConnection();
    c.setReadTimeout(5 * 1000);
    HttpRequest r = HttpRequest.newBuilder(URI.create(u)).timeout(java.time.Duration.ofSeconds(3)).build();
    java.sql.DriverManager.getConnection("jdbc:mysql://h/db?useSSL=false");
    for (String s : list) { g(x -> x.h(s)); }
  }
}
`,
  python: `import requests, aiohttp
from redis import Redis
class A:
    def __init__(self, timeout=None):
        self.session = requests.Session()
        self.redis = Redis(host="h", socket_timeout=2 * 3)
    async def f(self, url, *args, **kwargs):
        self.session.get(url, timeout=(3, 10))
        async with aiohttp.ClientSession() as s:
            async with s.get(f"http://{url}/x") as r:
                return [requests.get(u) for u in r if u]
x = lambda y: y or (z := 3)
`,
}

const language = fc.constantFrom<ShallowLanguage>('go', 'java', 'python')

describe('scanShallow', () => {
  it('reads any text without an error', async () => {
    const parsers = { go: await parserOf('go'), java: await parserOf('java'), python: await parserOf('python') }
    fc.assert(
      fc.property(language, fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 })), (of, noise) => {
        const text = `${SAMPLES[of].slice(0, 200)}\n${noise}`
        expect(scanShallow({ file: 'a.x', text }, of, parsers[of]).calls.length).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 80 },
    )
  })

  it('reads a source that is cut off, cut out or doubled anywhere without an error, and points into it', async () => {
    const parsers = { go: await parserOf('go'), java: await parserOf('java'), python: await parserOf('python') }
    fc.assert(
      fc.property(
        language,
        fc.nat(1200),
        fc.nat(80),
        fc.constantFrom('', '(', '}', '"', '\n', '=', '\u0000', '\ud800'),
        (of, from, length, put) => {
          const sample = SAMPLES[of]
          const texts = [
            sample.slice(0, from),
            sample.slice(0, from) + put + sample.slice(from + length),
            sample.slice(0, from + length) + sample.slice(from),
          ]
          for (const text of texts) {
            const { calls, diagnostics, problems } = scanShallow({ file: 'a.x', text }, of, parsers[of])
            const spots = [...calls, ...diagnostics, ...problems].flatMap(({ spot }) => spot ?? [])
            expect(spots.filter(({ start, end }) => start < 0 || end > text.length || start > end)).toEqual([])
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('finds something in each of the samples', async () => {
    expect((await scanText('go', SAMPLES.go)).findings).toEqual([
      '26 unbounded-call',
      '28 unbounded-call',
      '29 unbounded-call',
      '30 unbounded-call',
      '31 unbounded-call',
    ])
    expect((await scanText('java', SAMPLES.java)).findings).toEqual(['6 unbounded-call', '11 unbounded-call'])
    expect((await scanText('python', SAMPLES.python)).findings).toEqual(['9 default-bound', '11 unbounded-call'])
  })

  it('says of every finding that only the syntax was looked at, and marks its calls', async () => {
    for (const of of ['go', 'java', 'python'] as const) {
      const { messages } = await scanText(of, SAMPLES[of])
      expect(messages.filter((message) => !message.endsWith('shallow: only the syntax of this file was looked at'))).toEqual([])
      const { calls } = scanShallow({ file: 'a.x', text: SAMPLES[of] }, of, await parserOf(of))
      expect(calls.every(({ isShallow, version }) => isShallow && version === null)).toBe(true)
    }
  })

  it('leaves out tests, and says where a text is not understood', async () => {
    expect((await scanText('python', SAMPLES.python, 'src/test_client.py')).calls).toEqual([])
    const wanted = scanShallow({ file: 'src/test_client.py', text: SAMPLES.python }, 'python', await parserOf('python'), {
      includesTests: true,
    })
    expect(wanted.diagnostics).toHaveLength(2)
    const { problems, findings } = await scanText('go', `${SAMPLES.go}\nfunc broken( {\n\thttp.Get("x"\n`)
    expect(findings).toContain('26 unbounded-call')
    expect(problems).toEqual(['this is no Go that the parser understands; calls in it were not looked at'])
  })

  it('says when gunicorn kills the worker, and nothing of a default that is longer', async () => {
    const text = 'import psycopg2\nimport boto3\npsycopg2.connect(host="h", dbname="d")\nboto3.client("s3")\n'
    const told = async (workerEndMs: number | null) => {
      const { diagnostics } = await scanText('python', text, 'app.py', { workerEndMs })
      return diagnostics.map(({ severity, message }) => `${severity} ${/(gunicorn|only the operating)[^;]*/.exec(message)?.[0] ?? ''}`)
    }
    expect(await told(null)).toEqual(['error only the operating system gives up, after about two minutes', 'warning '])
    expect(await told(30_000)).toEqual(['warning gunicorn kills the worker after 30 s'])
    expect(await told(90_000)).toEqual(['warning gunicorn kills the worker after 90 s', 'warning '])
  })

  it('tells of a parser that gave up', () => {
    const { calls, problems } = scanShallow({ file: 'a.py', text: 'import requests' }, 'python', () => null)
    expect(calls).toEqual([])
    expect(problems).toEqual([{ message: 'the parser gave up; the file was not read', spot: null, file: 'a.py' }])
  })

  it('survives deep nesting, and says that it did not look into all of it', async () => {
    const deep = `import requests\nrequests.get("x")\nx = ${'('.repeat(5000)}1${')'.repeat(5000)}\n`
    const { findings, problems } = await scanText('python', deep)
    expect(findings).toEqual(['2 unbounded-call'])
    expect(problems).toEqual(['this is nested too deeply or comes too late in the file; calls in it were not looked at'])
  })

  it('gives names up that lead to each other in too many ways', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `v${index % 20} = v${(index * 7 + 3) % 20} if a else v${(index * 3 + 1) % 20}`)
    const text = `import requests\n${lines.join('\n')}\nv1.get("x")\nrequests.get("x")\n`
    const { findings } = await scanText('python', text)
    expect(findings.filter((finding) => finding !== '403 unbounded-call')).toEqual([])
  })
})
