import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('go', text)

describe('net/http', () => {
  it('is unbounded through its functions and its default client', async () => {
    await expectMarked(`package a

import (
	"net/http"
	web "net/http"
)

func f(url string) {
	http.Get(url) // !
	http.Post(url, "text/plain", nil) // !
	web.Head(url) // !
	http.PostForm(url, nil) // !
	http.DefaultClient.Get(url) // !
	req, err := http.NewRequest("GET", url, nil)
	resp, err := http.DefaultClient.Do(req) // !
	http.HandleFunc("/", nil)
	http.StatusText(200)
	_, _, _ = req, err, resp
}
`)
  })

  it('reports a client without a timeout once, where it is made, and shows its calls', async () => {
    const { findings, messages, diagnostics, calls } = await scanText(
      'go',
      `package a

import "net/http"

var client = &http.Client{}

func f(url string) {
	client.Get(url)
	client.Post(url, "", nil)
}
`,
    )
    expect(findings).toEqual(['5 unbounded-call'])
    expect(calls).toEqual(['8 net/http unbounded', '9 net/http unbounded'])
    expect(diagnostics[0]?.related).toHaveLength(2)
    expect(messages).toEqual([
      'http.Client.Get waits without a limit: no Timeout is set, and net/http has none of its own (as of go net/http client N); at least 2 calls use it; shallow: only the syntax of this file was looked at',
    ])
  })

  it('folds the durations that people write', async () => {
    const { calls } = await scanText(
      'go',
      `package a

import (
	"net/http"
	"time"
)

const limit = 5 * time.Second

var a = &http.Client{Timeout: 30 * time.Second}
var b = http.Client{Timeout: time.Minute}
var c = http.Client{Timeout: limit}
var d = http.Client{Timeout: time.Duration(1500) * time.Millisecond}
var e = http.Client{Timeout: limit + 500*time.Millisecond}
var f = http.Client{Timeout: cfg.Timeout}
var g = http.Client{Timeout: 2_000_000_000}
var h = http.Client{Timeout: 0}
var i http.Client
var j = new(http.Client)

func use(u string) {
	a.Get(u)
	b.Get(u)
	c.Get(u)
	d.Get(u)
	e.Get(u)
	f.Get(u)
	g.Get(u)
	h.Get(u)
	i.Get(u)
	j.Get(u)
}
`,
    )
    expect(calls.map((call) => call.replace(/^\d+ net\/http /, ''))).toEqual([
      '30000 total',
      '60000 total',
      '5000 total',
      '1500 total',
      '5500 total',
      'unknown',
      '2000 total',
      'unbounded',
      'unbounded',
      'unbounded',
    ])
  })

  it('takes the deadline of the context of the request', async () => {
    const { calls, findings } = await scanText(
      'go',
      `package a

import (
	"context"
	"net/http"
	"time"
)

func f(ctx context.Context, url string) {
	client := &http.Client{}
	r1, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	client.Do(r1)
	short, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	r2, _ := http.NewRequestWithContext(short, "GET", url, nil)
	client.Do(r2)
	r3, _ := http.NewRequest("GET", url, nil)
	r3 = r3.WithContext(short)
	client.Do(r3)
	bg := context.Background()
	r4, _ := http.NewRequestWithContext(bg, "GET", url, nil)
	client.Do(r4)
	client.Do(r4.WithContext(context.WithValue(bg, key, 1)))
	until, stop := context.WithDeadline(bg, time.Now().Add(3*time.Second))
	defer stop()
	client.Do(r4.Clone(until))
	only, end := context.WithCancel(bg)
	defer end()
	client.Do(r4.WithContext(only))
}
`,
    )
    expect(calls.map((call) => call.replace(/ net\/http/, ''))).toEqual([
      '12 unknown',
      '16 2000 total',
      '19 2000 total',
      '22 unbounded',
      '23 unbounded',
      '26 3000 total',
      '29 unknown',
    ])
    expect(findings).toEqual(['10 unbounded-call'])
  })

  it('knows that := gives a parameter a new value in the body of its function', async () => {
    const { calls } = await scanText(
      'go',
      `package a

import (
	"context"
	"net/http"
	"time"
)

func f(ctx context.Context, url string) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	http.DefaultClient.Do(req)
}

func g(ctx context.Context, url string, wants bool) {
	if wants {
		ctx, _ = context.WithTimeout(ctx, time.Second)
	}
	req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	http.DefaultClient.Do(req)
}
`,
    )
    expect(calls).toEqual(['13 net/http 1000 total', '21 net/http unknown'])
  })

  it('finds the timeout that is set later, or by a transport', async () => {
    const { calls } = await scanText(
      'go',
      `package a

import (
	"net/http"
	"time"
)

func f(u string) {
	a := &http.Client{}
	a.Timeout = 4 * time.Second
	a.Get(u)
	b := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 3 * time.Second}}
	b.Get(u)
	c := &http.Client{Transport: &http.Transport{MaxIdleConns: 3}}
	c.Get(u)
	d := &http.Client{Transport: ownTransport()}
	d.Get(u)
	e := &http.Client{Transport: http.DefaultTransport}
	e.Get(u)
	g := &http.Client{}
	setupTimeouts(g)
	g.Get(u)
	h := &http.Client{}
	h.CheckRedirect = nil
	h.Get(u)
	tr := &http.Transport{}
	tr.ResponseHeaderTimeout = time.Second
	k := &http.Client{Transport: tr}
	k.Get(u)
}
`,
    )
    expect(calls.map((call) => call.replace(/ net\/http/, ''))).toEqual([
      '11 4000 total',
      '13 3000 headers',
      '15 unbounded',
      '17 unknown',
      '19 unbounded',
      '22 unknown',
      '25 unbounded',
      '29 1000 headers',
    ])
  })

  it('follows clients into fields of structs and out of functions of the file', async () => {
    await expectMarked(`package a

import (
	"net/http"
	"time"
)

type API struct {
	hc   *http.Client
	base string
}

func NewAPI() *API {
	return &API{hc: &http.Client{}} // !
}

func (a *API) Load() {
	req, _ := http.NewRequest("GET", a.base, nil)
	a.hc.Do(req)
}

type Fine struct{ hc *http.Client }

func NewFine() *Fine { return &Fine{hc: &http.Client{Timeout: time.Second}} }

func (a *Fine) Load(u string) { a.hc.Get(u) }

type Given struct{ hc *http.Client }

func NewGiven(hc *http.Client) *Given { return &Given{hc: hc} }

func (a *Given) Load(u string) { a.hc.Get(u) }

func newClient() *http.Client {
	return &http.Client{} // !
}

func use(u string) {
	c := newClient()
	c.Get(u)
}

func passed(c *http.Client, u string) { c.Get(u) }
`)
  })

  it('is not taken for something else of that name', async () => {
    await expectMarked(`package a

import "net/http"

// http.Get("x")
const doc = "http.Get(url)"

type fake struct{}

func (fake) Get(u string) {}

type box struct{ http fake }

func (b box) f(u string) { b.http.Get(u) }

func g(u string) {
	http := fake{}
	http.Get(u)
}

func h(http fake, u string) {
	http.Get(u)
	func() { http.Get(u) }()
}

func i(u string) {
	{
		http := fake{}
		http.Get(u)
	}
	http.Get(u) // !
}

func handler(w http.ResponseWriter, r *http.Request) {
	r.Header.Get("x")
	r.URL.Query().Get("x")
}
`)
    await expectMarked('package a\n\nimport "example.com/own/http"\n\nfunc f() { http.Get("x") }\n')
  })

  it('believes a timeout of the default client', async () => {
    const { calls } = await scanText(
      'go',
      `package a

import (
	"net/http"
	"time"
)

func init() { http.DefaultClient.Timeout = 10 * time.Second }

func f(u string) { http.Get(u) }
`,
    )
    expect(calls).toEqual(['10 net/http 10000 total'])
    await expectMarked(`package a

import "net/http"

func init() { http.DefaultClient = ownClient() }

func f(u string) { http.Get(u) }
`)
  })

  it('says nothing of generated code and of tests', async () => {
    const text = 'package a\n\nimport "net/http"\n\nfunc f() { http.Get("x") }\n'
    expect((await scanText('go', `// Code generated by x. DO NOT EDIT.\n\n${text}`)).calls).toEqual([])
    expect((await scanText('go', text, 'a_test.go')).calls).toEqual([])
    expect((await scanText('go', text)).findings).toEqual(['5 unbounded-call'])
  })
})
