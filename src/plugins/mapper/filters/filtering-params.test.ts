// The parameter `filters`: the fields and operators that it accepts, the values that it returns, and the text that it writes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../../../test/support/load-value.ts'
import { type MediaType, mediaType } from '../../../design/declare/media-type.ts'
import { attributeRules } from '../../../extend.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { ExampleSeed } from '../../../schema/example.ts'
import { NamedSchemas } from '../../../schema/json-schema.ts'
import { t } from '../../../schema/t.ts'
import { FilteringParams } from '../index.ts'
import type { FilterExpression, Match } from './expression.ts'

const Author = mediaType('Author', { attributes: { id: t.integer(), name: t.string(), blog: t.ref(() => Blog) } })
const Post = mediaType('Post', { attributes: { title: t.string(), likes: t.integer(), author: Author } })
const Blog: MediaType = mediaType('Blog', {
  attributes: {
    id: t.integer({ min: 1, max: 9 }),
    title: t.string({ min: 2, max: 5, pattern: /[a-z]+/ }),
    kind: t.string({ values: ['personal', 'company'] }),
    code: t.string({ format: 'uuid' }),
    rating: t.number({ min: 0 }),
    size: t.bigint({ max: 10n }),
    open: t.boolean(),
    day: t.date(),
    created_at: t.dateTime({ nullable: true }),
    at: t.time(),
    raw: t.string({ allowNul: true }),
    place: t.object({ city: t.string(), map: t.object({ zoom: t.integer() }) }),
    author: Author,
    posts: t.array(Post),
    tags: t.array(t.string()),
    notes: t.record(t.string()),
    anything: t.any(),
  },
  views: {
    default: [
      ...['id', 'title', 'kind', 'code', 'rating', 'size', 'open', 'day', 'created_at', 'at', 'raw', 'place'],
      ...['author', 'posts', 'tags', 'notes', 'anything'],
    ] as never,
  },
})

const allFields = FilteringParams.for(Blog)
const load = (param: Attribute<FilterExpression>, value: unknown): LoadOutcome<FilterExpression> =>
  loadAttributeValue(param, value, { source: 'text' }) as LoadOutcome<FilterExpression>

function parse(text: string, param: Attribute<FilterExpression> = allFields): FilterExpression {
  const outcome = load(param, text)
  if (!outcome.valid) throw new Error(outcome.issues[0]?.message)
  return outcome.value
}

function describeRefusal(text: unknown, param: Attribute<FilterExpression> = allFields): string {
  const outcome = load(param, text)
  if (outcome.valid) throw new Error('accepted')
  expect(outcome.issues).toHaveLength(1)
  return `${outcome.issues[0]?.code}: ${outcome.issues[0]?.message}`
}

const wildcards = FilteringParams.for(Blog, {
  title: { operators: ['=', '!='], wildcards: true },
  kind: { wildcards: true },
  code: { wildcards: true },
  'posts.title': { operators: ['=', '!'] },
})

describe('values', () => {
  it.each<[string, FilterExpression]>([
    ['id=3', { op: '=', field: 'id', any: [{ value: 3 }] }],
    ['id=0,99', { op: '=', field: 'id', any: [{ value: 0 }, { value: 99 }] }],
    ['id>=100', { op: '>=', field: 'id', value: 100 }],
    ['title=X', { op: '=', field: 'title', any: [{ value: 'X' }] }],
    ['title=', { op: '=', field: 'title', any: [{ value: '' }] }],
    ['title<', { op: '<', field: 'title', value: '' }],
    ['title!=%2A,a%2Cb', { op: '!=', field: 'title', any: [{ value: '*' }, { value: 'a,b' }] }],
    ['kind=company', { op: '=', field: 'kind', any: [{ value: 'company' }] }],
    ['kind>d', { op: '>', field: 'kind', value: 'd' }],
    ['rating<-1.5e3', { op: '<', field: 'rating', value: -1500 }],
    ['size=12345678901234567890', { op: '=', field: 'size', any: [{ value: 12345678901234567890n }] }],
    ['open=true', { op: '=', field: 'open', any: [{ value: true }] }],
    ['day<=2024-02-29', { op: '<=', field: 'day', value: '2024-02-29' }],
    ['created_at>2024-01-01T00:00:00Z', { op: '>', field: 'created_at', value: new Date('2024-01-01T00:00:00Z') }],
    ['at<08:30', { op: '<', field: 'at', value: '08:30:00' }],
    ['place.city=Rome', { op: '=', field: 'place.city', any: [{ value: 'Rome' }] }],
    ['author.id=7', { op: '=', field: 'author.id', any: [{ value: 7 }] }],
    ['posts.likes>3', { op: '>', field: 'posts.likes', value: 3 }],
    ['tags=sql', { op: '=', field: 'tags', any: [{ value: 'sql' }] }],
    ['raw=%00', { op: '=', field: 'raw', any: [{ value: '\0' }] }],
    ['open!', { op: '!', field: 'open' }],
    ['tags!!', { op: '!!', field: 'tags' }],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  it.each([
    ['id=x', "filter-value: has an invalid value for 'id': it must be an integer"],
    ['id=', "filter-value: has an invalid value for 'id': it must be an integer"],
    ['id=1,', "filter-value: has an invalid value for 'id': it must be an integer"],
    ['id>1.5', "filter-value: has an invalid value for 'id': it must be an integer"],
    ['rating=1e999', "filter-value: has an invalid value for 'rating': it must be a finite number"],
    ['open=maybe', "filter-value: has an invalid value for 'open': it must be true or false"],
    ['day=2023-02-29', "filter-value: has an invalid value for 'day': it must be a date, written YYYY-MM-DD"],
    ['kind=other', "filter-value: has an invalid value for 'kind': it must be one of personal, company"],
    ['title=a%00b', "filter-value: has an invalid value for 'title': it must not contain the character U+0000"],
    ['title>%00', "filter-value: has an invalid value for 'title': it must not contain the character U+0000"],
  ])('refuses %s', (text, expected) => {
    expect(describeRefusal(text)).toBe(expected)
  })

  it('keep the format of a text, whatever the operator', () => {
    expect(describeRefusal('code=x')).toContain("filter-value: has an invalid value for 'code': it must be")
    expect(describeRefusal('code<x')).toContain("filter-value: has an invalid value for 'code': it must be")
  })
})

describe('wildcards matching', () => {
  it.each<[string, Match[]]>([
    ['title=a*', [{ pattern: { text: 'a', before: false, after: true } }]],
    ['title=*a', [{ pattern: { text: 'a', before: true, after: false } }]],
    ['title=*a*,b', [{ pattern: { text: 'a', before: true, after: true } }, { value: 'b' }]],
    ['title=*', [{ pattern: { text: '', before: true, after: true } }]],
    ['title=%2A%2A*', [{ pattern: { text: '**', before: false, after: true } }]],
    ['kind=per*', [{ pattern: { text: 'per', before: false, after: true } }]],
    ['code=ab*', [{ pattern: { text: 'ab', before: false, after: true } }]],
  ])('%s', (text, any) => {
    expect(parse(text, wildcards)).toEqual({ op: '=', field: text.split('=')[0], any })
  })

  it.each([
    ['posts.title=a*', "filter-wildcard: must not have * in values of 'posts.title'; write %2A instead"],
    ['kind>a*', 'filter-wildcard: must not have * after >; write %2A instead'],
    ['kind=other', "filter-value: has an invalid value for 'kind': it must be one of personal, company"],
    ['title=%00*', "filter-value: has an invalid value for 'title': it must not contain the character U+0000"],
  ])('refuses %s', (text, expected) => {
    expect(describeRefusal(text, wildcards)).toBe(expected)
  })

  it('is refused unless it was declared', () => {
    expect(describeRefusal('title=a*')).toMatch(/^filter-wildcard: /)
  })
})

describe('fields', () => {
  it('are all of the default view that hold single values or lists of them, unless declared', () => {
    expect(describeRefusal('nothing=1')).toBe(
      "filter-field: must not filter by 'nothing'; use some of id, title, kind, code, rating, size, open, day, " +
        'created_at, at, raw, place.city, author.id, author.name, posts.title, posts.likes, tags',
    )
  })

  it.each([
    'id=1',
    'posts=1',
    '__proto__=1',
    'constructor=1',
    'toString!',
    'posts.title.length=1',
    'posts.__proto__=1',
  ])('refuses %s, and names only what is declared', (text) => {
    const field = text.replace(/[=!].*/, '')
    expect(describeRefusal(text, wildcards)).toBe(
      `filter-field: must not filter by '${field}'; use some of title, kind, code, posts.title`,
    )
  })

  it('are not repeated at any length', () => {
    expect(describeRefusal(`${'x'.repeat(4000)}!`, wildcards)).toContain(`'${'x'.repeat(60)}…'`)
  })

  it('may lie behind lists, related types and references', () => {
    const deep = FilteringParams.for(Blog, { 'posts.author.blog.tags': {}, 'place.map.zoom': {} })
    expect(parse('posts.author.blog.tags=a&place.map.zoom=2', deep)).toMatchObject({ op: 'and' })
    expect(attributeRules.findMistakes(deep)).toEqual([])
  })

  it('with something below them are there or not', () => {
    const nested = FilteringParams.for(Blog, { posts: {}, place: {}, author: { operators: ['!!'] } })
    expect(attributeRules.findMistakes(nested)).toEqual([])
    expect(parse('posts!&place!!&author!!', nested)).toEqual({
      op: 'and',
      of: [
        { op: '!', field: 'posts' },
        { op: '!!', field: 'place' },
        { op: '!!', field: 'author' },
      ],
    })
    expect(describeRefusal('posts=1', nested)).toBe("filter-operator: must not use = with 'posts'; use one of ! !!")
  })
})

describe('operators', () => {
  it.each([
    ['open>true', allFields, "filter-operator: must not use > with 'open'; use one of = != ! !!"],
    ['title<a', wildcards, "filter-operator: must not use < with 'title'; use one of = !="],
    ['title!', wildcards, "filter-operator: must not use ! with 'title'; use one of = !="],
    ['posts.title!!', wildcards, "filter-operator: must not use !! with 'posts.title'; use one of = !"],
  ])('refuses %s', (text, param, expected) => {
    expect(describeRefusal(text, param)).toBe(expected)
  })
})

describe('what is not a text', () => {
  it.each([
    [['id=1', 'id=2'], 'repeated: must be sent once'],
    [{ id: 1 }, 'type: must be a string'],
    [1, 'type: must be a string'],
  ])('%j', (sent, expected) => {
    expect(describeRefusal(sent)).toBe(expected)
  })
})

describe('mistakes of a declaration', () => {
  it.each([
    [{}, 'it has no fields: no filter could ever be sent'],
    [{ nope: {} }, "it names 'nope', which is not an attribute of Blog"],
    [{ 'title.x': {} }, "it names 'title.x', which is not an attribute of Blog"],
    [{ 'tags.x': {} }, "it names 'tags.x', which is not an attribute of Blog"],
    [{ constructor: {} }, "it names 'constructor', which is not an attribute of Blog"],
    [{ notes: {} }, "it names 'notes', whose values cannot be compared"],
    [{ anything: {} }, "it names 'anything', whose values cannot be compared"],
    [{ id: { operators: [] } }, "operators of 'id' is empty: the field could never be used"],
    [{ open: { operators: ['=', '<'] } }, "operators of 'open' names <, but its operators are = != ! !!"],
    [{ posts: { operators: ['='] } }, "operators of 'posts' names =, but its operators are ! !!"],
    [{ id: { operators: ['~'] } }, "operators of 'id' names ~, but its operators are = != < <= > >= ! !!"],
    [{ id: { wildcards: true } }, "'id' has wildcards, but it is not a text"],
    [{ posts: { wildcards: true } }, "'posts' has wildcards, but it is not a text"],
    [
      { title: { operators: ['<', '!'], wildcards: true } },
      "wildcards of 'title' needs = or !=, and operators names neither",
    ],
  ])('%j', (fields, expected) => {
    expect(attributeRules.findMistakes(FilteringParams.for(Blog, fields as never))).toEqual([expected])
  })

  it('are none where all is well', () => {
    expect(attributeRules.findMistakes(allFields)).toEqual([])
    expect(attributeRules.findMistakes(wildcards)).toEqual([])
    expect(attributeRules.findMistakes(FilteringParams.for(Blog, { tags: { wildcards: true } }))).toEqual([])
  })
})

describe('documents', () => {
  const buildSchema = (param: Attribute): unknown => attributeRules.buildSchema(param, new NamedSchemas('input'))

  it('have an example that can be sent', () => {
    expect(buildSchema(FilteringParams.for(Blog, { id: {} }, { description: 'Which ones.' }))).toEqual({
      type: 'string',
      maxLength: 4096,
      description: [
        'Which ones.',
        '',
        '| Field | Operators | Example |',
        '| --- | --- | --- |',
        '| `id` | `=` `!=` `<` `<=` `>` `>=` `!` `!!` | `id=3` |',
      ].join('\n'),
      examples: [expect.stringMatching(/^id=[1-9]$/)],
    })
    for (const field of ['title', 'code', 'open', 'created_at', 'size', 'tags', 'posts'] as const) {
      const param = FilteringParams.for(Blog, { [field]: {} })
      const { examples } = buildSchema(param) as { examples: [string] }
      expect(parse(examples[0], param)).toEqual(attributeRules.makeExample(param, new ExampleSeed()))
    }
  })

  it('do without one where there is nothing to filter by', () => {
    expect(buildSchema(FilteringParams.for(Blog, {}))).not.toHaveProperty('examples')
  })
})

describe('writing', () => {
  const write = (expression: FilterExpression, param: Attribute = allFields): unknown => {
    const outcome = dumpAttributeValue(param, expression)
    return outcome.valid ? outcome.value : outcome.issues.map(({ code }) => code)
  }

  it('uses parentheses only where they are needed', () => {
    for (const text of ['id=1&(open=true|tags!)&title=a', 'id=1&open=true|tags!!', 'id=1|(open=true|tags!)'])
      expect(write(parse(text))).toBe(text)
    expect(write(parse('((id=1)&((open=t)))|(tags!)'))).toBe('id=1&open=true|tags!')
  })

  it('refuses what no request could have', () => {
    expect(write({ op: 'and', of: [] })).toEqual(['type'])
    expect(write({ op: '=', field: 'id', any: [] })).toEqual(['type'])
    expect(write({ op: '=', field: 'id', any: [{ value: 'x' }] })).toEqual(['type'])
    expect(write({ op: '!', field: 'nope' })).toEqual(['filter-field'])
    expect(
      write({
        op: 'or',
        of: [
          { op: '!', field: 'nope' },
          { op: '!', field: 'id' },
        ],
      }),
    ).toEqual(['filter-field'])
  })

  it('leaves out what joins only one', () => {
    expect(write({ op: 'and', of: [{ op: '!', field: 'id' }] })).toBe('id!')
  })
})

describe('laws', () => {
  const open = FilteringParams.for(Blog, {
    id: {},
    title: { wildcards: true },
    rating: {},
    size: {},
    open: {},
    created_at: {},
    tags: { wildcards: true },
    'posts.title': { wildcards: true },
  })
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'))
  const special = fc.string({ unit: fc.constantFrom(...'a%2C,&|()*=!<> +') })
  const values: Record<string, fc.Arbitrary<unknown>> = {
    id: fc.maxSafeInteger(),
    title: fc.oneof(text, special),
    rating: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
    size: fc.bigInt(),
    open: fc.boolean(),
    created_at: fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    tags: special,
    'posts.title': text,
  }
  const textual = new Set(['title', 'tags', 'posts.title'])
  const pattern: fc.Arbitrary<Match> = fc
    .record({ text: special, before: fc.boolean(), after: fc.boolean() })
    .filter(({ text: part, before, after }) => (before || after) && (part !== '' || (before && after)))
    .map((one) => ({ pattern: one }))
  const condition: fc.Arbitrary<FilterExpression> = fc.constantFrom(...Object.keys(values)).chain((field) => {
    const sent = values[field] as fc.Arbitrary<unknown>
    const match: fc.Arbitrary<Match> = sent.map((one) => ({ value: one }))
    const any = fc.array(textual.has(field) ? fc.oneof(match, pattern) : match, { minLength: 1, maxLength: 4 })
    const compared = fc.tuple(fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const), sent)
    return fc.oneof(
      fc.tuple(fc.constantFrom('=' as const, '!=' as const), any).map(([op, of]) => ({ op, field, any: of })),
      fc.constantFrom('!' as const, '!!' as const).map((op) => ({ op, field })),
      ...(field === 'open' ? [] : [compared.map(([op, one]) => ({ op, field, value: one }))]),
    )
  })
  const { expression } = fc.letrec<{ expression: FilterExpression; joined: FilterExpression }>((tie) => ({
    expression: fc.oneof({ maxDepth: 4 }, condition, tie('joined')),
    joined: fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }),
    }),
  }))

  it('what is written loads as what it was', () => {
    fc.assert(
      fc.property(expression, (one) => {
        const outcome = dumpAttributeValue(open, one)
        if (!outcome.valid) throw new Error(JSON.stringify(outcome.issues))
        fc.pre((outcome.value as string).length <= 4096)
        expect(parse(outcome.value as string, open)).toEqual(one)
      }),
      { numRuns: 500 },
    )
  })

  it('no text throws, and a refusal has one reason', () => {
    const names = fc.constantFrom(
      'id',
      'title',
      'tags',
      '__proto__',
      'hasOwnProperty',
      '&',
      '|',
      '(',
      ')',
      '=',
      '!',
      '*',
    )
    const likely = fc.array(fc.oneof(names, fc.constantFrom('<', '>', ',', '%', '%00', '1', 'x', "' OR 1=1--")))
    fc.assert(
      fc.property(
        fc.oneof(
          likely.map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (sent) => {
          const outcome = load(open, sent)
          expect(outcome.valid || outcome.issues.length === 1).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
