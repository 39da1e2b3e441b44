// Limits and values of schemas: every addition, removal, rise or fall is reported by its effect on the values.
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { compareKeywords } from './compare-keywords.ts'

const listChanges = (old: object, now: object): [string, string][] => {
  const all: [string, string][] = []
  compareKeywords(old as JsonSchema, now as JsonSchema, (effect, rule) => void all.push([effect, rule]))
  return all
}

/** The rule of each keyword, and whether its limit accepts a number, or a number of characters, elements or names. */
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
  const filterAllowed = (limit: number | undefined) =>
    values.filter((value) => limit === undefined || passes(value, limit))
  const cases = LIMITS.flatMap((old) => LIMITS.map((now) => ({ old, now })))

  it.each(cases)('from $old to $now', ({ old, now }) => {
    const [before, after] = [filterAllowed(old).length, filterAllowed(now).length]
    const changes = listChanges({ [keyword]: old }, { [keyword]: now })
    expect(changes.map(([effect]) => effect)).toEqual(before === after ? [] : [after < before ? 'narrowed' : 'widened'])
    if (before === after) return
    // A minimum of zero characters or elements is not a limit.
    const isUnlimited = (limit: number | undefined) => filterAllowed(limit).length === values.length
    const getVerb = () => {
      if (isUnlimited(old)) return 'added'
      if (isUnlimited(now)) return 'removed'
      return (now as number) > (old as number) ? 'raised' : 'lowered'
    }
    expect(changes.map(([, name]) => name)).toEqual([`${rule}-${getVerb()}`])
  })
})

describe('enum', () => {
  const LISTS = [undefined, ['a'], ['b'], ['a', 'b'], ['b', 'a'], ['a', 'b', 'c'], [1], [null, 'a']]
  const cases = LISTS.flatMap((old) => LISTS.map((now) => ({ old, now })))
  it.each(cases)('from $old to $now', ({ old, now }) => {
    const lost = now !== undefined && (old === undefined || old.some((one) => !(now as unknown[]).includes(one)))
    const gained = old !== undefined && (now === undefined || now.some((one) => !(old as unknown[]).includes(one)))
    expect(listChanges({ enum: old }, { enum: now }).map(([effect]) => effect)).toEqual([
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
    expect(listChanges({}, { [keyword]: one })).toEqual([['narrowed', `${rule}-added`]])
    expect(listChanges({ [keyword]: one }, {})).toEqual([['widened', `${rule}-removed`]])
    expect(listChanges({ [keyword]: one }, { [keyword]: other })).toEqual([['changed', `${rule}-changed`]])
    expect(listChanges({ [keyword]: one }, { [keyword]: one })).toEqual([])
  })

  it('uniqueItems, where false is as good as nothing', () => {
    for (const none of [{}, { uniqueItems: false }]) {
      expect(listChanges(none, { uniqueItems: true })).toEqual([['narrowed', 'unique-added']])
      expect(listChanges({ uniqueItems: true }, none)).toEqual([['widened', 'unique-removed']])
      expect(listChanges(none, { uniqueItems: false })).toEqual([])
    }
  })

  it('what is unknown may mean anything', () => {
    expect(listChanges({ multipleOf: 2 }, { multipleOf: 4 })).toEqual([['changed', 'schema-changed']])
    expect(listChanges({ multipleOf: 2 }, {})).toEqual([['changed', 'schema-changed']])
  })
})
