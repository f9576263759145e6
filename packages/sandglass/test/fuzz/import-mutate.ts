import type { Source } from '../../src/model/sourced.js'
import { mutated } from './mutate.js'

/** What stands in the place of a value: times of every dialect, what is nearly one, counts, templates, addresses. */
const values = [
  ...[
    '0',
    '1',
    '-1',
    '5',
    '90',
    '2147483648',
    '99999999999999999999',
    '1e9',
    '0x10',
    '1.5',
    '.5',
    '5.',
    '1_000',
    '+3',
    'NaN s',
    'Infinity',
  ],
  ...[
    '0s',
    '1s',
    '500ms',
    '1m30s',
    '1h',
    '1d',
    '1w',
    '1M',
    '1y',
    '1us',
    '0.2s',
    '1.5s',
    'PT5S',
    'P1D',
    '5 min',
    '10min',
    '3 s',
    '1S',
    '60sec',
  ],
  ...[
    'true',
    'false',
    'on',
    'off',
    'yes',
    'no',
    'null',
    'none',
    '~',
    'default',
    'infinite',
    'unlimited',
    '100%',
    '"5s"',
    "'5s'",
    '""',
    "''",
  ],
  ...[
    '\u0024{X}',
    '\u0024{X:-5s}',
    '\u0024{X:5s}',
    '\u0024{a.b}',
    '\u0024{',
    '{{ x }}',
    '{{- if .Values.x }}',
    '{% if x %}',
    '{{',
    '@x@',
    '$x',
    '$(X)',
    '<%= x %>',
    '#{x}',
  ],
  ...[
    'http://a',
    'http://a:80/b',
    'https://a:99999',
    '//a',
    'unix:/a.sock',
    'lb://a',
    'jdbc:mysql://a,b:3306/c?socketTimeout=5',
    'tcp://[::1]:80',
  ],
  ...[
    '[1, 2]',
    '{ a: 1 }',
    '[]',
    '{}',
    '*a',
    '&a 1s',
    '!!int 5',
    '!x 5',
    '|',
    '>',
    '- 1',
    '\\',
    '\\u0000',
    '\t',
    '超时',
    '\u202e',
    '__proto__',
  ],
] as const

type Random = () => number

/** The text with one to six changes of the kind that configs suffer: other values, other keys, blocks moved, doubled, nested, cut off, grown. */
export function mutatedConfig(text: string, others: readonly Source[], random: Random): string {
  let now = text
  for (let times = 1 + Math.floor(random() * 6); times > 0; times--)
    now = pick(changes, random)(now, others, random).slice(0, MOST_CHARACTERS)
  return now
}

const MOST_CHARACTERS = 64_000

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T
}

type Change = (text: string, others: readonly Source[], random: Random) => string

/** A found place, replaced; the text where there is none. */
function replaced(text: string, pattern: RegExp, random: Random, by: (found: string) => string): string {
  const all = [...text.matchAll(pattern)]
  if (all.length === 0) return text
  const found = pick(all, random)
  return text.slice(0, found.index) + by(found[0]) + text.slice(found.index + found[0].length)
}

const value: Change = (text, _, random) => replaced(text, /(?<=[:= ])["']?[\w.$%/-]+["']?/g, random, () => pick(values, random))
const number: Change = (text, _, random) => replaced(text, /\d+(\.\d+)?[a-z]*/gi, random, () => pick(values, random))
/** A word for another word of the same format: keys where they are not expected. */
const word: Change = (text, others, random) => {
  const from = random() < 0.5 ? text : (pick(others, random)?.text ?? text)
  const words = [...from.matchAll(/[\w.-]{2,}/g)]
  return words.length === 0 ? text : replaced(text, /[\w.-]{2,}/g, random, () => pick(words, random)[0])
}
/** Lines of the same format from somewhere else, at any depth. */
const foreign: Change = (text, others, random) => {
  const lines = text.split('\n')
  const block = blockOf((pick(others, random)?.text ?? text).split('\n'), random)
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, ...shifted(block, random))
  return lines.join('\n')
}
const doubled: Change = (text, _, random) => {
  const lines = text.split('\n')
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, ...blockOf(lines, random))
  return lines.join('\n')
}
const dropped: Change = (text, _, random) => {
  const lines = text.split('\n')
  lines.splice(Math.floor(random() * lines.length), 1 + Math.floor(random() * 3))
  return lines.join('\n')
}
const indented: Change = (text, _, random) => {
  const lines = text.split('\n')
  const start = Math.floor(random() * lines.length)
  const count = 1 + Math.floor(random() * 6)
  return [...lines.slice(0, start), ...shifted(lines.slice(start, start + count), random), ...lines.slice(start + count)].join('\n')
}
const commented: Change = (text, _, random) =>
  replaced(text, /^[ \t]*/gm, random, (blank) => `${blank}${pick(['#', '//', ';', '--', '!'], random)} `)
const PUNCTUATION = ['{', '}', '[', ']', '(', ')', ';', ',', ':', '=', '#', "'", '"', '<', '>', '\n', '']
const braces: Change = (text, _, random) => replaced(text, /[{}[\]();,:=#'"<>]/g, random, () => pick(PUNCTUATION, random))
const nested: Change = (text, _, random) => {
  const times = 1 + Math.floor(random() * 200)
  return replaced(text, /[{[(<]|\b\w{1,40}(?::\n| \{)/g, random, (found) => found.repeat(times))
}
const cut: Change = (text, _, random) => text.slice(0, Math.floor(random() * text.length))
/** Many of one thing: what is quadratic shows. */
const grown: Change = (text, _, random) => {
  const lines = text.split('\n')
  const block = blockOf(lines, random)
  const many = Array.from({ length: 1 + Math.floor(random() * 300) }, (_, index) =>
    block.map((line) => line.replace(/(\w)(?=[:=. {])/, `$1${index}`)),
  ).flat()
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, ...many)
  return lines.join('\n')
}
const long: Change = (text, _, random) =>
  replaced(text, /[^\s]+|\s+/g, random, (found) => found.repeat(1 + Math.floor(random() * Math.min(2000, MOST_CHARACTERS / found.length))))
const any: Change = (text, _, random) => mutated(text, random)

const changes: readonly Change[] = [
  ...[value, value, value, number, number, number, word, word, word, foreign, foreign, doubled, dropped, indented],
  ...[commented, braces, braces, nested, cut, grown, long, any],
]

/** A line with what is indented below it. */
function blockOf(lines: readonly string[], random: Random): readonly string[] {
  const start = Math.floor(random() * lines.length)
  const depth = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0
  let end = start + 1
  while (end < lines.length && (/^\s*/.exec(lines[end] ?? '')?.[0].length ?? 0) > depth) end++
  return lines.slice(start, end)
}

function shifted(lines: readonly string[], random: Random): readonly string[] {
  const by = Math.floor(random() * 9) - 4
  return lines.map((line) => (by >= 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, /^\s*/.exec(line)?.[0].length ?? 0))))
}
