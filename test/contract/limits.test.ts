// Limits in contracts: every limit of every kind of attribute, moved either way, where clients send and where they receive.
import { type Attribute, application, endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { diffContracts } from '../../src/contract/diff/diff.ts'

type Limits = { readonly min?: number; readonly max?: number }

const kinds: readonly (readonly [
  name: string,
  make: (limits: Limits) => Attribute,
  least: string,
  greatest: string,
])[] = [
  ['collection', (limits) => t.array(t.string(), limits), 'min-items', 'max-elements'],
  ['hash', (limits) => t.record(t.string(), limits), 'min-names', 'max-names'],
  ['string', (limits) => t.string(limits), 'min-length', 'max-length'],
  ['integer', (limits) => t.integer(limits), 'minimum', 'maximum'],
  ['number', (limits) => t.number(limits), 'minimum', 'maximum'],
  ['bigint', (limits) => t.bigint(mapped(limits, BigInt)), 'minimum', 'maximum'],
  ['decimal', (limits) => t.decimal(mapped(limits, String)), 'minimum', 'maximum'],
]

const mapped = <T>(limits: Limits, as: (limit: number) => T): { min?: T; max?: T } =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, as(value as number)]))

/** How a limit moves, what that is called, and whether there are fewer values then. */
const moves: readonly (readonly [
  old: Limits,
  now: Limits,
  bound: 'least' | 'greatest',
  how: string,
  fewer: boolean,
])[] = [
  [{ max: 9 }, { max: 8 }, 'greatest', 'lowered', true],
  [{ max: 8 }, { max: 9 }, 'greatest', 'raised', false],
  [{}, { max: 8 }, 'greatest', 'added', true],
  [{ max: 8 }, {}, 'greatest', 'removed', false],
  [{ min: 2 }, { min: 3 }, 'least', 'raised', true],
  [{ min: 3 }, { min: 2 }, 'least', 'lowered', false],
  [{}, { min: 3 }, 'least', 'added', true],
  [{ min: 3 }, {}, 'least', 'removed', false],
]

/** The places where an attribute may stand in an API, and whether its values are sent by clients. */
const places: readonly (readonly [name: string, place: string, sent: boolean, action: (one: Attribute) => object])[] = [
  ['a payload', 'payload.a', true, (a) => ({ payload: { a } })],
  ['a payload, deep', 'payload.deep[].a', true, (a) => ({ payload: { deep: t.array(t.object({ a })) } })],
  [
    'an answer',
    'responses.ok.body.a',
    false,
    (a) => ({ responses: { ok: mediaType('Thing', { attributes: { a } }) } }),
  ],
]

const contractOf = (action: object) => {
  const Things = endpoint('Things', {
    actions: { make: { routing: route.post('/'), responses: { ok: 'text/plain' }, ...action } },
  } as never)
  return application({ controllers: [Things.implement({ make: () => 'x' } as never)] }).contract()
}

describe.each(places)('a limit in %s', (_, place, sent, action) => {
  const cases = kinds.flatMap(([kind, make, least, greatest]) =>
    moves.map(([old, now, bound, how, fewer]) => ({
      title: `${kind}: ${bound} ${how}`,
      old: make(old),
      now: make(now),
      rule: `${bound === 'least' ? least : greatest}-${how}`,
      kind: fewer === sent ? 'breaking' : 'compatible',
    })),
  )
  it.each(cases)('$title is $kind', ({ old, now, rule, kind }) => {
    const changes = diffContracts(contractOf(action(old)), contractOf(action(now)))
    // Limits of numbers that JSON has no number for stand in the description as well.
    const told = changes.filter((one) => one.kind !== 'documentation')
    expect(told.map((one) => [one.kind, one.location, one.rule])).toEqual([[kind, `Things.make › ${place}`, rule]])
  })
})
