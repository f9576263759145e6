import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { plainPalette } from '../report/palette.js'
import { commands } from './commands.js'
import { besideFile, chainFilesIn, findFiles, tidyPath } from './find-files.js'
import { firstChain, mergeSeen, nameNginx, plainName } from './first-chain.js'
import { memorySystem } from './memory-system.fixture.js'
import { startProgress } from './progress.js'
import { renderPage } from './render-page.js'
import { run } from './run.js'
import { seenInCompose } from './seen-in-compose.js'
import { seenInNginx } from './seen-in-nginx.js'
import { textStyleFor } from './text-style.js'

describe('a path', () => {
  it.each([
    ['./a/../b.yaml', 'b.yaml'],
    ['a//b/./c', 'a/b/c'],
    ['../x', '../x'],
    ['../../x', '../../x'],
    ['/a/../b', '/b'],
    ['a/..', '.'],
    ['a\\b', 'a/b'],
  ])('%s is %s', (path, tidy) => {
    expect(tidyPath(path)).toBe(tidy)
  })

  it('in a file is seen from beside that file', () => {
    expect(besideFile('teams/pay/sandglass.yaml', '../*/chain.yaml')).toBe('teams/*/chain.yaml')
    expect(besideFile('sandglass.yaml', 'a.yaml')).toBe('a.yaml')
    expect(besideFile('x/y.yaml', '/etc/z.yaml')).toBe('/etc/z.yaml')
  })
})

describe('a pattern', () => {
  const { folders } = memorySystem({
    'a/sandglass.yaml': '',
    'a/b/sandglass.yaml': '',
    'a/b/pay.sandglass.yaml': '',
    'node_modules/x/sandglass.yaml': '',
    '.git/sandglass.yaml': '',
    'readme.md': '',
  })

  it.each([
    ['*/sandglass.yaml', ['a/sandglass.yaml']],
    ['**/sandglass.yaml', ['a/b/sandglass.yaml', 'a/sandglass.yaml']],
    ['a/**', ['a/b/pay.sandglass.yaml', 'a/b/sandglass.yaml', 'a/sandglass.yaml']],
    ['a/?/*.yaml', ['a/b/pay.sandglass.yaml', 'a/b/sandglass.yaml']],
    ['node_modules/*/sandglass.yaml', ['node_modules/x/sandglass.yaml']],
    ['nowhere/*', []],
  ])('%s names %j', (pattern, files) => {
    expect(findFiles(pattern, folders).files).toEqual(files)
  })

  it('finds the chain files of a folder, and none in hidden folders or node_modules', () => {
    expect(chainFilesIn('.', folders).files).toEqual(['a/b/pay.sandglass.yaml', 'a/b/sandglass.yaml', 'a/sandglass.yaml'])
  })
})

describe('the command line', () => {
  it('has a --help for every command that says something and shows an example', async () => {
    for (const { name } of commands) {
      const system = memorySystem()
      expect([name, await run([name, '--help'], system)]).toEqual([name, 0])
      expect(system.said.stdout).toMatch(new RegExp(`^Usage: sandglass ${name} [^]*Example`))
    }
  })

  it('shows its help on one screen, with three examples', async () => {
    const system = memorySystem()
    await run(['--help'], system)
    expect(system.said.stdout.split('\n').length).toBeLessThanOrEqual(30)
    expect(system.said.stdout.match(/^ {2}sandglass [a-z]+.*\n {6}/gm)).toHaveLength(3)
  })

  it('reports a fault of its own with what to send, and exit 3', async () => {
    const system = memorySystem({ 'sandglass.yaml': 'sandglass: 1\n' })
    const stdout = {
      ...system.stdout,
      write: () => {
        throw new RangeError('out of ink')
      },
    }
    expect(await run(['show'], { ...system, stdout })).toBe(3)
    expect(system.said.stderr).toContain('this is a fault of sandglass')
    expect(system.said.stderr).toContain('sandglass 1.2.3, Node v')
    expect(system.said.stderr).toContain('RangeError: out of ink')
  })

  it('takes the files of several arguments as one chain, each file once', async () => {
    const system = memorySystem({
      'a.yaml':
        'sandglass: 1\njourneys: { j: { promise: 9s, starts: a.o } }\nservices: { a: { operations: { o: { calls: [{ to: b.o, timeout: 1s }] } } } }\n',
      'b/sandglass.yaml': 'sandglass: 1\nservices: { b: { operations: { o: { does: read } } } }\n',
    })
    expect(await run(['show', 'a.yaml', './a.yaml', 'b', 'b/../b/sandglass.yaml'], system)).toBe(0)
    expect(system.said.stdout).toContain('a.o > b.o')
  })
})

describe('what is shown where', () => {
  const terminal = { isTerminal: true, columns: 120, write: () => {} }
  const pipe = { isTerminal: false, columns: null, write: () => {} }

  it('has colour on a terminal only, unless NO_COLOR or FORCE_COLOR say otherwise', () => {
    const paints = (output: typeof terminal | typeof pipe, env: Record<string, string>) =>
      textStyleFor(output, env).palette.error('x') !== 'x'
    expect(paints(terminal, {})).toBe(true)
    expect(paints(pipe, {})).toBe(false)
    expect(paints(terminal, { NO_COLOR: '1' })).toBe(false)
    expect(paints(terminal, { TERM: 'dumb' })).toBe(false)
    expect(paints(pipe, { FORCE_COLOR: '1' })).toBe(true)
    expect(paints(terminal, { FORCE_COLOR: '0' })).toBe(false)
  })

  it('is as wide as the terminal, and 100 columns in a pipe', () => {
    expect(textStyleFor(terminal, {}).width).toBe(120)
    expect(textStyleFor(pipe, {}).width).toBe(100)
    expect(textStyleFor({ ...terminal, columns: 5 }, {}).width).toBe(40)
  })

  it('is ASCII in a pipe and in a dumb terminal', () => {
    expect([textStyleFor(terminal, {}).ascii, textStyleFor(pipe, {}).ascii, textStyleFor(terminal, { TERM: 'dumb' }).ascii]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('progress', () => {
  it('is silent for a second, then says what is being done at most ten times a second, and takes its line away', () => {
    const said: string[] = []
    let nowMs = 0
    const progress = startProgress({ isTerminal: true, columns: 20, write: (text) => void said.push(text) }, () => nowMs)
    for (; nowMs < 1300; nowMs += 10) progress.say(`at ${nowMs}`)
    progress.done()
    expect(said).toEqual(['\r\u001b[Kat 1000', '\r\u001b[Kat 1100', '\r\u001b[Kat 1200', '\r\u001b[K'])
  })

  it('says nothing where stderr is no terminal', () => {
    const said: string[] = []
    const progress = startProgress({ isTerminal: false, columns: null, write: (text) => void said.push(text) }, () => 1e9)
    progress.say('x')
    progress.done()
    expect(said).toEqual([])
  })
})

describe('a first chain', () => {
  it('can be read back, whatever was seen', () => {
    const compose = {
      file: 'compose.yaml',
      text: 'services:\n  "a b.c": { image: "nginx", depends_on: ["123", x] }\n  "123": { image: redis }\n  x: { environment: { U: "http://123:80" } }\n',
    }
    const nginx = { file: 'nginx.conf', text: 'proxy_read_timeout 1m30s;\nproxy_pass http://x.example.com:80/api;\n' }
    const text = firstChain(mergeSeen(nameNginx([...seenInCompose(compose), ...seenInNginx(nginx)])), ['compose.yaml'], './schema.json')
    const { problems, chain } = readChainText(text)
    expect(problems.map(({ message }) => message)).toEqual([])
    expect([...chain.services.keys()]).toEqual(['a-b-c', '123', 'x', 'x-example-com'])
    expect(
      chain.services
        .get('a-b-c')
        ?.operations.get('request')
        ?.calls.map((call) => [call.to.value, call.silenceMs?.value]),
    ).toEqual([
      ['123.get', undefined],
      ['x.request', undefined],
      ['x-example-com.request', 90_000],
    ])
  })

  it('makes a name of anything', () => {
    expect(['@shop/web', '  ', 'a.b', 'x'.repeat(300), '支付'].map(plainName)).toEqual([
      'web',
      'service',
      'a-b',
      'x'.repeat(100),
      'service',
    ])
  })
})

describe('a page in the terminal', () => {
  it('is wrapped, its lists indented and its tables left alone', () => {
    const page = `- one two three\n  four\n\n| a | b |\n\n*word* and a * b\n\n    code that is long and stays on its line\n`
    expect(renderPage(page, plainPalette, 12)).toBe(
      '- one two\n  three\n  four\n\n| a | b |\n\nword and a\n* b\n\n    code that is long and stays on its line\n',
    )
  })

  it('keeps what is said and drops the markup', () => {
    const page = '# inverted\n\nA **bold** `word`, a [link](https://example.com) and a [page](other.md).\n\n```yaml\ntimeout: 3s\n```\n'
    expect(renderPage(page, plainPalette, 80)).toBe(
      'inverted\n\nA bold word, a link (https://example.com) and a page.\n\n    timeout: 3s\n',
    )
  })
})
