// Structures: presence, defaults, nulls, unknown names, nesting, and the pointer of every issue.

import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../../test/support/load-value.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../attribute.ts'
import { atLeastOne } from '../requirements.ts'
import { t } from '../t.ts'
import { has } from './object.ts'

const Author = t.object({ id: t.integer({ required: true }), name: t.string({ nullable: true }) })
const Blog = t.object({
  title: t.string({ required: true, max: 20 }),
  kind: t.string({ values: ['personal', 'company'] }),
  draft: t.boolean({ default: false }),
  tags: t.array(t.string({ min: 1 })),
  author: Author,
})

function getLoaded<T>(outcome: LoadOutcome<T> | Promise<LoadOutcome<T>>): T {
  if (outcome instanceof Promise) throw new Error('asynchronous')
  if (!outcome.valid) throw new Error(JSON.stringify(outcome.issues))
  return outcome.value
}

function formatIssues(outcome: LoadOutcome<unknown> | Promise<LoadOutcome<unknown>>): string[] {
  if (outcome instanceof Promise || outcome.valid) throw new Error('valid')
  return outcome.issues.map(({ pointer, code }) => `${pointer} ${code}`)
}

describe('loading a structure', () => {
  it('[ATT-01] has texts, integers, booleans, collections of a type and nested structures', () => {
    const sent = { title: 'a', kind: 'company', draft: 'true', tags: ['x', 'y'], author: { id: '7', name: 'Ada' } }
    expect(getLoaded(loadAttributeValue(Blog, sent))).toEqual({ ...sent, draft: true, author: { id: 7, name: 'Ada' } })
  })

  it('[ATT-02] leaves an attribute out that was not sent and is not required', () => {
    expect(getLoaded(loadAttributeValue(Blog, { title: 'a' }))).toEqual({ title: 'a', draft: false })
  })

  it('[ATT-03] refuses a structure without a required attribute, also below', () => {
    expect(formatIssues(loadAttributeValue(Blog, {}))).toEqual(['/title missing'])
    expect(formatIssues(loadAttributeValue(Blog, { title: 'a', author: {} }))).toEqual(['/author/id missing'])
  })

  it('[ATT-04] fills an absent attribute with its default, and never a sent one', () => {
    expect(getLoaded(loadAttributeValue(Blog, { title: 'a' })).draft).toBe(false)
    expect(getLoaded(loadAttributeValue(Blog, { title: 'a', draft: true })).draft).toBe(true)
  })

  it('[ATT-04] makes a default anew for each request', () => {
    let calls = 0
    const one = t.object({
      list: t.array(t.string(), { default: [] }),
      when: t.dateTime({ default: new Date(0) }),
      at: t.integer({ default: () => ++calls }),
    })
    const [first, second] = [getLoaded(loadAttributeValue(one, {})), getLoaded(loadAttributeValue(one, {}))]
    first.list.push('mine')
    first.when.setTime(1)
    expect(second).toEqual({ list: [], when: new Date(0), at: 2 })
    expect(getLoaded(loadAttributeValue(one, {})).list).toEqual([])
  })

  it('[ATT-04] completes the default of a structure by the defaults below it', () => {
    let calls = 0
    const inner = t.object({ n: t.integer({ default: 1 }), m: t.integer(), at: t.integer({ default: () => ++calls }) })
    const deep = { default: {} } as never
    const one = t.object({
      a: t.ref(inner, deep),
      b: t.object({ inner: t.ref(inner, deep), own: t.string() }, deep),
      list: t.array(inner, { default: [{}, { n: 5 }] } as never),
      map: t.record(inner, { default: { k: {} } } as never),
      either: t.union('is', { x: { n: t.integer({ default: 7 }) } }, { default: { is: 'x' } } as never),
      made: t.ref(inner, { default: () => ({ m: 2 }) } as never),
      later: t.ref(() => inner, deep),
    })
    expect(attributeRules.findMistakes(one)).toEqual([])
    expect(getLoaded(loadAttributeValue(one, {}))).toEqual({
      a: { n: 1, at: 1 },
      b: { inner: { n: 1, at: 2 } },
      list: [
        { n: 1, at: 3 },
        { n: 5, at: 4 },
      ],
      map: { k: { n: 1, at: 5 } },
      either: { is: 'x', n: 7 },
      made: { m: 2, n: 1, at: 6 },
      later: { n: 1, at: 7 },
    })
    // The same as if the client had sent the default.
    expect(getLoaded(loadAttributeValue(one, { a: {} }))).toMatchObject({ a: { n: 1, at: 8 } })
  })

  it('is refused where a default would be completed without end', () => {
    const node: Attribute = t.object({ next: t.ref((): Attribute => node, { default: {} }) })
    expect(attributeRules.findMistakes(node.core.children['next'] as Attribute)).toMatchObject([
      { problem: 'its default contains itself, and would be completed without end' },
    ])
    const ended: Attribute = t.object({
      next: t.ref((): Attribute => ended, { nullable: true, default: { next: null } }),
    })
    expect(attributeRules.findMistakes(ended.core.children['next'] as Attribute)).toEqual([])
  })

  it('is refused where its default breaks its rules', () => {
    const attributes = { a: t.string(), b: t.string() }
    const one = t.object(attributes, { default: {}, requires: [atLeastOne('a', 'b')] })
    expect(attributeRules.findMistakes(one)).toEqual(["default does not have at least one of 'a', 'b'"])
  })

  it('[ATT-04] takes null for a default where null is a value', () => {
    const one = t.object({ note: t.string({ nullable: true, default: null }) })
    expect(getLoaded(loadAttributeValue(one, {}))).toEqual({ note: null })
  })

  it('[ATT-05] passes options on to the type: limits, patterns, allowed values', () => {
    const sent = { title: 'x'.repeat(21), kind: 'other', tags: [''] }
    expect(formatIssues(loadAttributeValue(Blog, sent))).toEqual([
      '/title max-length',
      '/kind values',
      '/tags/0 min-length',
    ])
  })

  it('[ATT-06] tells what was sent or assigned by a default from what was not', () => {
    const loaded = getLoaded(loadAttributeValue(Blog, { title: 'a' }))
    expect([has(loaded, 'title'), has(loaded, 'draft'), has(loaded, 'kind')]).toEqual([true, true, false])
  })

  it('[ATT-07] tells a sent null from an absent attribute, and refuses null elsewhere', () => {
    const sent = getLoaded(loadAttributeValue(Author, { id: 1, name: null }))
    const absent = getLoaded(loadAttributeValue(Author, { id: 1 }))
    expect([has(sent, 'name'), sent.name, has(absent, 'name')]).toEqual([true, null, false])
    expect(formatIssues(loadAttributeValue(Author, { id: null }))).toEqual(['/id null'])
  })

  it('[ATT-08] loads, checks and tests nested structures like outer ones, at any depth', () => {
    const deep = t.object({
      a: t.object({ b: t.object({ c: t.object({ n: t.integer({ default: 3 }), s: t.string() }) }) }),
    })
    const loaded = getLoaded(loadAttributeValue(deep, { a: { b: { c: {} } } }))
    const c = loaded.a?.b?.c
    expect(c && [has(c, 'n'), has(c, 's')]).toEqual([true, false])
    expect(formatIssues(loadAttributeValue(deep, { a: { b: { c: { n: 'x', z: 1 } } } }))).toEqual([
      '/a/b/c/n type',
      '/a/b/c/z unknown',
    ])
  })

  it('[ATT-09] reports every issue at once, each with the location it belongs to', () => {
    const sent = { kind: 'other', draft: 'maybe', tags: ['', 1], author: { id: '1.5', 'a/b~c': 1 }, more: 1 }
    expect(formatIssues(loadAttributeValue(Blog, sent))).toEqual([
      '/title missing',
      '/kind values',
      '/draft type',
      '/tags/0 min-length',
      '/tags/1 type',
      '/author/id type',
      '/author/a~1b~0c unknown',
      '/more unknown',
    ])
  })

  it('refuses what is not an object', () => {
    for (const bad of ['', 'x', 1, true, [], [{}], Number.NaN])
      expect(formatIssues(loadAttributeValue(Blog, bad))).toEqual([' type'])
  })

  it('refuses unknown names unless told to ignore them', () => {
    const outcome = loadAttributeValue(
      Author,
      { id: 1, utm_source: 'x', other: 1 },
      { ignores: (name) => name.startsWith('utm_') },
    )
    expect(formatIssues(outcome)).toEqual(['/other unknown'])
    expect(getLoaded(loadAttributeValue(Author, { id: 1, other: 1 }, { ignores: () => true }))).toEqual({ id: 1 })
  })

  it('takes names that every object inherits for unknown ones', () => {
    const sent = JSON.parse('{"id":1,"__proto__":{"name":"x"},"constructor":1,"toString":2}')
    expect(formatIssues(loadAttributeValue(Author, sent))).toEqual([
      '/__proto__ unknown',
      '/constructor unknown',
      '/toString unknown',
    ])
  })

  it('reads a declared name that every object inherits only when it was sent', () => {
    const one = t.object({ constructor: t.string(), toString: t.string() })
    expect(getLoaded(loadAttributeValue(one, {}))).toEqual({})
    expect(Object.hasOwn(getLoaded(loadAttributeValue(one, { constructor: 'Ferrari' })), 'constructor')).toBe(true)
  })

  it('takes undefined for absent', () => {
    expect(formatIssues(loadAttributeValue(Author, { id: undefined, name: undefined }))).toEqual(['/id missing'])
  })

  it('does not echo a name of any length', () => {
    expect(formatIssues(loadAttributeValue(Author, { id: 1, ['x'.repeat(5000)]: 1 }))).toEqual([
      `/${'x'.repeat(128)}… unknown`,
    ])
  })

  it('keeps a bounded number of issues and counts the rest', () => {
    const outcome = loadAttributeValue(
      t.array(t.integer()),
      Array.from({ length: 5000 }, () => 'x'),
    )
    expect(outcome).toMatchObject({ valid: false, total: 5000 })
    expect(formatIssues(outcome)).toHaveLength(100)
  })
})

describe('dumping a structure', () => {
  it('lets declared attributes leave, and nothing else', () => {
    const row = { id: 1, name: 'Ada', password: 'secret', toJSON: () => 'x' }
    expect(dumpAttributeValue(Author, row)).toEqual({ valid: true, value: { id: 1, name: 'Ada' } })
  })

  it('reads getters of class instances', () => {
    class Row {
      get id() {
        return 4
      }
    }
    expect(dumpAttributeValue(Author, new Row())).toEqual({ valid: true, value: { id: 4 } })
  })

  it('reports what is missing or null where it must not be, when checking', () => {
    expect(formatIssues(dumpAttributeValue(Blog, { kind: null }))).toEqual(['/title missing', '/kind null'])
    expect(dumpAttributeValue(Blog, { kind: null }, false)).toEqual({ valid: true, value: { kind: null } })
  })

  it('never lets an object leave where a scalar is declared, checking or not', () => {
    for (const checks of [true, false]) {
      expect(formatIssues(dumpAttributeValue(Author, { id: { $gt: 0 }, name: ['x'] }, checks))).toEqual([
        '/id type',
        '/name type',
      ])
    }
  })

  it('refuses what is not an object', () => {
    for (const bad of ['x', 1, [], () => 1])
      expect(formatIssues(dumpAttributeValue(Author, bad, false))).toEqual([' type'])
  })
})

describe('the declaration of a structure', () => {
  it('may not name an attribute __proto__', () => {
    const one = t.object({ ['__proto__']: t.string() })
    expect(attributeRules.findMistakes(one)).toEqual(['__proto__ cannot be the name of an attribute'])
  })

  it('is checked for a default that it would refuse', () => {
    const one = t.object({ n: t.integer({ max: 3 }) }, { default: { n: 4 } })
    expect(attributeRules.findMistakes(one)).toEqual(['default/n must be at most 3'])
  })

  it('is checked for options that its kind does not have', () => {
    const misspelt = { required: true, mx: 3 }
    expect(attributeRules.findMistakes(t.integer(misspelt))).toMatchObject([
      { problem: "there is no option 'mx'", remedy: expect.stringContaining('did you mean max?') },
    ])
  })

  it('derives an attribute that is required or has a default: either replaces the other', () => {
    const required = t.integer({ required: true, min: 0 }).core
    const withDefault = t.integer({ default: 1, min: 0 }).core
    expect(required.derive({ default: 2 }).options).toEqual({ default: 2, min: 0 })
    expect(withDefault.derive({ required: true }).options).toEqual({ required: true, min: 0 })
    expect(required.derive({ max: 3 } as object).options).toEqual({ required: true, min: 0, max: 3 })
    expect(withDefault.derive({ required: false, max: 3 } as object).options).toEqual({
      default: 1,
      required: false,
      min: 0,
      max: 3,
    })
  })

  it('derives an attribute with other options, and keeps the rest', () => {
    const derived = t.string({ max: 3, description: 'short' }).core.derive({ required: true })
    expect(derived.options).toEqual({ max: 3, description: 'short', required: true })
    expect(formatIssues(loadAttributeValue(derived, 'long'))).toEqual([' max-length'])
  })
})
