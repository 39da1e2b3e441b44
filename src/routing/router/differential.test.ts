// The router compared with its definition: match every pattern one by one, sort by method and rank, take the first.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { compilePathPattern, type PatternOptions, type PatternParams } from '../../path/index.ts'
import { compareAscending } from '../../util/compare.ts'
import { createRouter, findRoute, type RouteEntry, readRouteParams } from './router.ts'

const RUNS = runs(400, 1500)

interface Sample {
  readonly verb: string
  readonly segments: readonly string[]
  readonly digits: boolean
  readonly trailingSlash: boolean
}

const VERBS = ['GET', 'POST', 'HEAD', 'ANY']
const SEGMENTS = ['a', 'ab', 'b', 'é', '', ':', ':', 'v:', ':.json', 'v:v', ':-:', 'a b']
const PATH_SEGMENTS = [
  'a',
  'ab',
  'b',
  'abc',
  'é',
  '%C3%A9',
  '',
  '1',
  '12',
  'vv',
  'v',
  'v1',
  '.json',
  '1.json',
  'v1.json',
  '1-2',
  '-',
  'a%2Fb',
  '%61',
  'a+b',
  'a%20b',
  'a?b',
  '😀',
]

const sample: fc.Arbitrary<Sample> = fc.record({
  verb: fc.constantFrom(...VERBS),
  segments: fc
    .tuple(fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 3 }), fc.constantFrom([], [], ['*'], ['x*'], ['*', 'b']))
    .map((parts) => parts.flat()),
  digits: fc.boolean(),
  trailingSlash: fc.boolean(),
})

function buildSource({ segments }: Sample): string {
  let count = 0
  return segments.map((segment) => `/${segment.replace(/:/g, () => `:p${count++}`)}`).join('')
}

function toEntry(each: Sample, value: number): RouteEntry<number> {
  const options: PatternOptions = each.digits ? { capture: /\d+/ } : {}
  return {
    verb: each.verb,
    pattern: compilePathPattern(buildSource(each), options),
    value,
    trailingSlash: each.trailingSlash,
  }
}

function rank(segment: string): number {
  if (segment.includes('*')) return segment === '*' ? 4 : 3
  if (segment === ':') return 2
  // A space has a second spelling, so it ranks with the segments that contain a capture.
  return segment.includes(':') || segment.includes(' ') ? 1 : 0
}

function matchEntry(entry: RouteEntry<number>, path: string): { params: PatternParams; slash: boolean } | null {
  const direct = entry.pattern.match(path)
  if (direct !== null) return { params: direct, slash: false }
  const shorter =
    entry.trailingSlash === true && path.endsWith('/') && !/[/*]$/.test(entry.pattern.source)
      ? entry.pattern.match(path.slice(0, -1))
      : null
  return shorter === null ? null : { params: shorter, slash: true }
}

function level(verb: string, asked: string): number {
  if (verb === asked && verb !== 'ANY') return 0
  if (verb === 'ANY') return 1
  return verb === 'GET' && asked === 'HEAD' ? 2 : -1
}

function expected(
  samples: readonly Sample[],
  entries: readonly RouteEntry<number>[],
  asked: string,
  path: string,
): [number, object] | null {
  const matches = entries.flatMap((entry, order) => {
    const found = matchEntry(entry, path)
    const at = level(entry.verb, asked)
    if (found === null || at < 0) return []
    const ranks = [...(samples[order]?.segments.map(rank) ?? []), ...(found.slash ? [0] : []), 9]
    return [{ ranks: ranks.join(''), at, order, params: found.params }]
  })
  matches.sort((a, b) => a.at - b.at || compareAscending(a.ranks, b.ranks) || a.order - b.order)
  const [best] = matches
  return best === undefined ? null : [best.order, { ...best.params }]
}

describe('the router', () => {
  it('[RTE-03] [RTE-21] finds what matching the patterns one by one finds', () => {
    let hits = 0
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 12 }),
        fc.array(
          fc.tuple(
            fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PURGE', 'ANY'),
            fc.array(fc.constantFrom(...PATH_SEGMENTS), { maxLength: 4 }),
          ),
          { minLength: 1, maxLength: 10 },
        ),
        (samples, requests) => {
          const entries = samples.map(toEntry)
          const router = createRouter(entries)
          for (const [verb, segments] of requests) {
            const path = segments.map((segment) => `/${segment}`).join('')
            const found = findRoute(verb, path, router)
            const want = expected(samples, entries, verb, path)
            if (want !== null) hits += 1
            expect([verb, path, found && [found.value, { ...readRouteParams(found) }]]).toEqual([verb, path, want])
            const allowed = new Set(
              entries.filter((entry) => matchEntry(entry, path) !== null).map((entry) => entry.verb),
            )
            expect(new Set(router.findVerbs(path))).toEqual(allowed)
          }
        },
      ),
      { numRuns: RUNS },
    )
    expect(hits).toBeGreaterThan(RUNS * 0.5)
  }, 60_000)

  // Segments with optional parts, and the forms of each; a form has the first captures of its segment.
  const OPTIONAL: { readonly [segment: string]: readonly string[] } = {
    ':.?:?': [':.:', ':.', '::', ':'],
    ':-?:?': [':-:', ':-', '::', ':'],
    ':(.:)?': [':.:', ':'],
    ':-?': [':-', ':'],
    'v:?': ['v:', 'v'],
    ':.:?': [':.:', ':.'],
    ':': [':'],
    'v:': ['v:'],
    vv: ['vv'],
    a: ['a'],
  }

  /** Returns the rank of the form that the path has in the pattern. */
  function rankOfMatch(segments: readonly string[], params: PatternParams, path: string): string {
    let captures = 0
    const pieces = path.slice(1).split('/').map(decodeURIComponent)
    return segments
      .map((segment, i) => {
        const count = segment.split(':').length - 1
        const values = Array.from({ length: count }, (_, k) => params[`p${captures + k}`] as string | null)
        captures += count
        const present = values.filter((value) => value !== null)
        const form = OPTIONAL[segment]?.find((each) => {
          let k = 0
          return (
            each.split(':').length - 1 === present.length && each.replace(/:/g, () => present[k++] ?? '') === pieces[i]
          )
        })
        expect([segment, pieces[i], form]).toEqual([segment, pieces[i], expect.any(String)])
        return rank(form ?? '')
      })
      .join('')
  }

  it('[RTE-21] ranks a route with optional parts by those that the path has', () => {
    const segments = fc.array(fc.constantFrom(...Object.keys(OPTIONAL)), { minLength: 1, maxLength: 2 })
    const text = fc.constantFrom('a', 'v', 'vv', 'v1', 'emma', 'emma.json', 'emma.', 'x-y', 'x-', '.', 'a.b-c', 'a%2Eb')
    let hits = 0
    fc.assert(
      fc.property(
        fc.array(segments, { minLength: 1, maxLength: 6 }),
        fc.array(fc.array(text, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 10 }),
        (routes, requests) => {
          const entries = routes.map((each, value): RouteEntry<number> => {
            const source = buildSource({ verb: 'GET', segments: each, digits: false, trailingSlash: false })
            return { verb: 'GET', pattern: compilePathPattern(source), value }
          })
          const router = createRouter(entries)
          for (const request of requests) {
            const path = `/${request.join('/')}`
            const [best] = entries
              .flatMap((entry, order) => {
                const params = entry.pattern.match(path)
                return params === null ? [] : [{ order, params, key: rankOfMatch(routes[order] ?? [], params, path) }]
              })
              .sort((a, b) => compareAscending(a.key, b.key) || a.order - b.order)
            if (best !== undefined) hits += 1
            const found = router.find('GET', path)
            const sources = entries.map(({ pattern }) => pattern.source)
            expect([sources, path, found && [found.value, { ...readRouteParams(found) }]]).toEqual([
              sources,
              path,
              best === undefined ? null : [best.order, { ...best.params }],
            ])
          }
        },
      ),
      { numRuns: RUNS },
    )
    expect(hits).toBeGreaterThan(RUNS * 0.5)
  }, 60_000)

  const tricky: [string, PatternOptions?][] = [
    ['/a(/:x)?(/:y)?'],
    ['/(a|:x)/(b|:y)?'],
    ['/(:x)1?'],
    ['/:x(.:y)?'],
    ['/:x.?:y?'],
    ['/:x-?:y?/?'],
    ['/:x.?:y?(/:z)?'],
    ['/:x.:y/*'],
    ['/?:x?/?:y?'],
    ['/a(/*)?'],
    ['/(a|b/*)/c?'],
    ['/(a|ab)(b|bc)?'],
    ['/:x|b|/a/*z'],
    ['/v:x.json'],
    ['/a\\?b'],
    ['/:x', { capture: ['a', 'a/b', /\d+/] }],
    ['/:x/:y', { capture: { x: /[^-]+/, y: /.+/ } }],
    ['/:x', { capture: /[^é]*/ }],
    ['/:x/*', { except: '/a/*' }],
    ['/(:x)b/:y', { capture: { y: /\d/ } }],
  ]

  it.each(tricky)('captures what the pattern itself captures: %s %o', (source, options) => {
    const pattern = compilePathPattern(source, options)
    const router = createRouter([{ verb: 'ANY', pattern, value: 0 }])
    let hits = 0
    const compare = (segments: readonly string[]): void => {
      const path = segments.map((segment) => `/${segment}`).join('')
      const want = pattern.match(path)
      if (want !== null) hits += 1
      const found = findRoute('GET', path, router)
      expect([path, found && readRouteParams(found)]).toEqual([path, want])
    }
    const all = [...PATH_SEGMENTS, 'a.b', '11', 'b1', 'c']
    for (const one of all) for (const segments of [[one], ...all.map((two) => [one, two])]) compare(segments)
    fc.assert(fc.property(fc.array(fc.constantFrom(...all), { maxLength: 4 }), compare), { numRuns: 300 })
    expect(hits).toBeGreaterThan(0)
  })
})
