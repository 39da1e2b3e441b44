// Limits and values of schemas: every addition, removal, rise or fall is reported by its effect on the values.
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { compareKeywords } from './compare-keywords.ts'

const told = (old: object, now: object): [string, string][] => {
  const all: [string, string][] = []
  compareKeywords(old as JsonSchema, now as JsonSchema, (effect, rule) => void all.push([effect, rule]))
  return all
}

/** Returns whether a limit accepts a number, or a number of characters, elements or names. */
const KEYWORDS: Readonly<Record<string, readonly [rule: string, passes: (value: number, limit: number) => boolean]>> = {
  minimum: ['minimum', (value, limit) => value >= limit],
  exclusiveMinimum: ['minimum', (value, limit) => value > limit],
  minLength: ['min-length', (value, limit) => value >= limit],
  minItems: ['min-items', (value, limit) => value >= limit],
  minProperties: ['min-names', (value, limit) => value >= limit],
  maximum: ['maximum', (value, limit) => value <= limit],
  exclusiveMaximum: ['maximum', (value, limit) => value < limit],
  maxLength: ['max-length', (value, limit) => value <= limit],
  maxItems: ['max-elements', (value, limit) => value <= limit],
  maxProperties: ['max-names', (value, limit) => value <= limit],
}

const LIMITS = [undefined, 0, 1, 2, 10]

describe.each(Object.entries(KEYWORDS))('%s', (keyword, [rule, passes]) => {
  const least = /imum/.test(keyword) ? -5 : 0
  const values = Array.from({ length: 20 }, (_, i) => i + least)
  const through = (limit: number | undefined) => values.filter((value) => limit === undefined || passes(value, limit))
  const cases = LIMITS.flatMap((old) => LIMITS.map((now) => ({ old, now })))

  it.each(cases)('from $old to $now', ({ old, now }) => {
    const [before, after] = [through(old).length, through(now).length]
    const changes = told({ [keyword]: old }, { [keyword]: now })
    expect(changes.map(([effect]) => effect)).toEqual(before === after ? [] : [after < before ? 'narrowed' : 'widened'])
    if (before === after) return
    // A minimum of zero characters or elements is not a limit.
    const isNone = (limit: number | undefined) => through(limit).length === values.length
    const how = () => {
      if (isNone(old)) return 'added'
      if (isNone(now)) return 'removed'
      return (now as number) > (old as number) ? 'raised' : 'lowered'
    }
    expect(changes.map(([, name]) => name)).toEqual([`${rule}-${how()}`])
  })
})

describe('enum', () => {
  const LISTS = [undefined, ['a'], ['b'], ['a', 'b'], ['b', 'a'], ['a', 'b', 'c'], [1], [null, 'a']]
  const cases = LISTS.flatMap((old) => LISTS.map((now) => ({ old, now })))
  it.each(cases)('from $old to $now', ({ old, now }) => {
    const lost = now !== undefined && (old === undefined || old.some((one) => !(now as unknown[]).includes(one)))
    const gained = old !== undefined && (now === undefined || now.some((one) => !(old as unknown[]).includes(one)))
    expect(told({ enum: old }, { enum: now }).map(([effect]) => effect)).toEqual([
      ...(lost ? ['narrowed'] : []),
      ...(gained ? ['widened'] : []),
    ])
  })
})

describe('rules', () => {
  it.each([
    ['pattern', 'a', 'b', 'pattern'],
    ['format', 'date', 'uuid', 'format'],
  ])('%s', (keyword, one, other, rule) => {
    expect(told({}, { [keyword]: one })).toEqual([['narrowed', `${rule}-added`]])
    expect(told({ [keyword]: one }, {})).toEqual([['widened', `${rule}-removed`]])
    expect(told({ [keyword]: one }, { [keyword]: other })).toEqual([['changed', `${rule}-changed`]])
    expect(told({ [keyword]: one }, { [keyword]: one })).toEqual([])
  })

  it('uniqueItems, where false is as good as nothing', () => {
    for (const none of [{}, { uniqueItems: false }]) {
      expect(told(none, { uniqueItems: true })).toEqual([['narrowed', 'unique-added']])
      expect(told({ uniqueItems: true }, none)).toEqual([['widened', 'unique-removed']])
      expect(told(none, { uniqueItems: false })).toEqual([])
    }
  })

  it('what is unknown may mean anything', () => {
    expect(told({ multipleOf: 2 }, { multipleOf: 4 })).toEqual([['changed', 'schema-changed']])
    expect(told({ multipleOf: 2 }, {})).toEqual([['changed', 'schema-changed']])
  })
})
