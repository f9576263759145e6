import { describe, expect, it } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (count: number, line: (k: number) => string) => Array.from({ length: count }, (_, k) => line(k)).join('\n')

/** Code that is short and means something endless; each was seconds, minutes or all of the memory before it had a bound. */
const HARD: Readonly<Record<string, { readonly text: string; readonly calls: readonly string[] }>> = {
  'objects that spread each other twice, 40 times': {
    text: `import axios from 'axios'
export function f(o) { const a0 = { ...o }
${lines(40, (k) => `const a${k + 1} = { ...a${k}, ...a${k} }`)}
return axios.get('http://x', a40) }
f({ timeout: 5 })`,
    calls: ['43 axios unknown'],
  },
  'choices among choices, 40 times': {
    text: `import axios from 'axios'
const a0 = c ? 1 : 2
${lines(40, (k) => `const a${k + 1} = c ? a${k} : (d ? a${k} : [a${k}])`)}
axios.get('http://x', { timeout: a40 })`,
    calls: ['43 axios unknown'],
  },
  'sums of look-ups with defaults, 40 times': {
    text: `import axios from 'axios'
const a0 = process.env.T ?? 1
${lines(40, (k) => `const a${k + 1} = (a${k} ?? a${k}) + (a${k} || a${k})`)}
axios.get('http://x', { timeout: a40 })`,
    calls: ['43 axios unknown'],
  },
  'a text that doubles 60 times': {
    text: `import axios from 'axios'\nconst s0 = 'aaaaaaaaaa'\n${lines(60, (k) => `const s${k + 1} = s${k} + \`\${s${k}}\``)}\naxios.get(s60, { timeout: 5 })`,
    calls: ['63 axios bounded 5 silence'],
  },
  'functions that hand an object down to two others, 40 deep': {
    text: `import axios from 'axios'
function f0(o) { return axios.create(o) }
${lines(40, (k) => `function f${k + 1}(o) { return c ? f${k}({ ...o }) : f${k}(o) }`)}
f40({ timeout: 3 }).get('http://x')`,
    calls: [],
  },
  'wrappers 2,000 deep': {
    text: `function w0(u, o) { return fetch(u, o) }\n${lines(2000, (k) => `function w${k + 1}(u, o) { return w${k}(u, o) }`)}\nw2000('http://x', { signal: AbortSignal.timeout(9) })`,
    calls: ['1 fetch unknown'],
  },
  'a function with 2,000 callers': {
    text: `function get(u, o) { return fetch(u, o) }\n${lines(2000, (k) => `get('http://x', { signal: AbortSignal.timeout(${k + 1}) })`)}`,
    calls: ['1 fetch bounded 50 total'],
  },
  'an object of 20,000 properties': {
    text: `import axios from 'axios'\nexport const all = {\n${lines(20_000, (k) => `  key${k}: ${k},`)}\n}\naxios.get('http://x', all)`,
    calls: ['20004 axios unknown'],
  },
  'classes that extend each other, 5,000 of them': {
    text: `class C0 { get() { return fetch('http://x', { signal: this.s }) } }\n${lines(5000, (k) => `class C${k + 1} extends C${k} {}`)}\nnew C5000().get()`,
    calls: ['1 fetch unknown'],
  },
  'a chain of 8,000 calls': {
    text: `import axios from 'axios'\naxios.get('http://x', { timeout: 5 })${'.y()'.repeat(8000)}`,
    calls: ['2 axios bounded 5 silence'],
  },
  'a name that is assigned 2,000 times from itself': {
    text: `let o = {}\n${lines(2000, (k) => `o = { ...o, a${k}: ${k} }`)}\nfetch('http://x', o)`,
    calls: ['2002 fetch unknown'],
  },
}

describe('code that is hard to follow', () => {
  it.each(Object.entries(HARD))('is given up in bounded time: %s', (_, { text, calls }) => {
    const startedAt = performance.now()
    expect(callLines(scanTexts(text))).toEqual(calls)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('finds what modules that pass on everything to each other export, and what none of them does not', () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, k) => [
        `m${k}.ts`,
        `${[1, 7, 11, 20].map((step) => `export * from './m${(k * 3 + step) % 60}.js'`).join('\n')}
import { nothing } from './m${(k + 1) % 60}.js'
nothing('http://x')${k === 59 ? "\nimport axios from 'axios'\nexport const api = axios.create({ timeout: 70 })" : ''}`,
      ]),
    )
    const main = "import { api } from './m0.js'\napi.get('http://x')"
    const startedAt = performance.now()
    expect(callLines(scanTexts({ files: { 'main.ts': main, ...files } }))).toEqual(['2 axios bounded 70 silence'])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('follows functions of two files that call each other, and 1,000 files that pass on each other', () => {
    const files = {
      'a.ts':
        "import { b } from './b.js'\nexport function a(o, n) { return n ? b({ ...o, x: 1 }, n - 1) : fetch('http://x', o) }\na({}, 5)",
      'b.ts': "import { a } from './a.js'\nexport function b(o, n) { return n ? a({ ...o, y: 1 }, n - 1) : fetch('http://y', o) }",
      ...Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`p${k}.ts`, `export * from './p${k + 1}.js'`])),
      'c.ts': "import { far } from './p0.js'\nfar.get('http://x')",
    }
    expect(callLines(scanTexts({ files }))).toHaveLength(2)
  })
})
