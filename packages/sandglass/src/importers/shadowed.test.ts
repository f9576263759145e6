import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, type RouteMatch, shadowedRoutes } from './shadowed.js'

const at = (path: RouteMatch['path'], more: Partial<RouteMatch> = {}): RouteMatch => ({
  host: null,
  path,
  others: [],
  isClear: true,
  ...more,
})
const prefix = (text: string) => at({ kind: 'prefix', text })
const exact = (text: string) => at({ kind: 'exact', text })
const shadows = (...routes: readonly (readonly RouteMatch[])[]) =>
  shadowedRoutes(routes.map((matches) => ({ matches }))).map(({ route }) => routes.indexOf(route.matches))

describe('shadowed routes', () => {
  it('are those of which an earlier one takes everything', () => {
    expect(shadows([prefix('/')], [prefix('/api')])).toEqual([1])
    expect(shadows([prefix('/api')], [exact('/api/x')], [prefix('/')])).toEqual([1])
    expect(shadows([prefix('/api')], [prefix('/')])).toEqual([])
    expect(shadows([exact('/a')], [exact('/a')], [exact('/b')])).toEqual([1])
  })

  it('are not those with a condition less than the earlier one has', () => {
    const header = at(null, { others: ['x: 1'] })
    expect(shadows([header], [prefix('/')])).toEqual([])
    expect(shadows([at(null)], [header])).toEqual([1])
    expect(shadows([header], [at({ kind: 'prefix', text: '/a' }, { others: ['y: 2', 'x: 1'] })])).toEqual([1])
    expect(shadows([at(null, { host: 'a' })], [at(null, { host: 'b' })], [at(null, { host: 'a' })])).toEqual([2])
  })

  it('need every alternative to be taken', () => {
    expect(shadows([prefix('/a')], [prefix('/a/x'), prefix('/b')])).toEqual([])
    expect(shadows([prefix('/a')], [prefix('/b')], [prefix('/a/x'), prefix('/b')])).toEqual([2])
  })

  it('say nothing of what is not understood', () => {
    const unclear = at(null, { isClear: false })
    expect(shadows([unclear], [prefix('/a')])).toEqual([])
    expect(shadows([prefix('/')], [unclear])).toEqual([])
  })

  it('hold as a law: what is covered fits nothing that its cover does not fit', () => {
    const paths = ['/', '/a', '/a/b', '/ab', '/b']
    const match = fc.record({ kind: fc.constantFrom('prefix' as const, 'exact' as const), text: fc.constantFrom(...paths) })
    const fits = (path: string, of: { readonly kind: string; readonly text: string }) =>
      of.kind === 'exact' ? path === of.text : path.startsWith(of.text)
    fc.assert(
      fc.property(match, match, (a, b) => {
        if (covers(at(a), at(b))) for (const path of paths) expect(!fits(path, b) || fits(path, a)).toBe(true)
      }),
    )
  })
})
