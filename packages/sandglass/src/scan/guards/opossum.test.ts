import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const IMPORTS = `import CircuitBreaker from 'opossum'\nimport axios from 'axios'\n`
const rules = (text: string) => scanTexts(IMPORTS + text).diagnostics.map(({ rule }) => rule)

test('work that is handed to a breaker when it is fired ends with that', () => {
  const inField = (options: string) => `export class Api {
  breaker
  constructor() { this.breaker = new CircuitBreaker(async (task) => task(), ${options}) }
  private fire(task) { return this.breaker.fire(task) }
  load(u) { return this.fire(() => axios.get(u)) }
}`
  expect(rules(inField('{ timeout: 3000 }'))).toEqual(['work-not-cancelled'])
  expect(rules(inField('{ timeout: false }'))).toEqual(['unbounded-call'])
  expect(
    rules('const breaker = new CircuitBreaker((task) => task())\nexport const load = (u) => breaker.fire(() => axios.get(u))'),
  ).toEqual(['work-not-cancelled'])
  expect(rules('const gun = new Gun()\nexport const load = (u) => gun.fire(() => axios.get(u))')).toEqual(['unbounded-call'])
})

test('a function that makes a breaker, or gives the one that it keeps, is looked into', () => {
  const kept = (keeps: string) => `const known = new WeakMap()
function breakerFor(client) {
  ${keeps}
  const breaker = new CircuitBreaker(async (...args) => { const [task] = args; return task() }, { timeout: 3000 })
  const wrapper = { fire(task) { return breaker.fire(task) }, breaker }
  known.set(client, wrapper)
  return wrapper
}
export class Api {
  constructor(client) { this.wrapper = breakerFor(client) }
  async load(u) { return await this.wrapper.fire(async () => { return axios.get(u) }) }
}`
  expect(rules(kept(''))).toEqual(['work-not-cancelled'])
  expect(rules(kept('const existing = known.get(client)\n  if (existing) return existing'))).toEqual(['work-not-cancelled'])
})
