// The parameter `fields` in isolation: what it accepts and refuses, and the properties of reading, writing and projecting.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../../../test/support/load-value.ts'
import { type MediaType, mediaType } from '../../../design/declare/media-type.ts'
import { selectFields as narrowed, type Selection } from '../../../design/fields/selection.ts'
import { attributeRules } from '../../../extend.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { Dumping } from '../../../schema/dumping.ts'
import { ExampleSeed } from '../../../schema/example.ts'
import { NamedSchemas } from '../../../schema/json-schema.ts'
import { t } from '../../../schema/t.ts'
import { FieldSelector } from '../index.ts'

const Person = mediaType('Person', {
  attributes: {
    name: t.string({ required: true }),
    email: t.string(),
    address: t.object({ street: t.string(), city: t.string({ required: true }) }),
    boss: t.ref((): Attribute => Person, { nullable: true }),
    blogs: t.array(t.ref((): Attribute => Blog)),
  },
  views: { card: ['name', 'address'] },
})
const Blog: MediaType = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, nullable: true }),
    tags: t.array(t.string()),
    author: Person,
    editor: Person.view('card'),
    parent: t.ref((): Attribute => Blog),
    labels: t.record(t.object({ color: t.string(), by: t.ref(Person, { nullable: true }) })),
    grid: t.array(t.array(t.object({ x: t.integer(), y: t.integer() }))),
    shape: t.union('kind', { circle: { r: t.integer() }, square: { a: t.integer() } }),
  },
})
const fields = FieldSelector.for(Blog)
const read = (text: unknown): LoadOutcome<Selection> =>
  loadAttributeValue(fields, text, { source: 'text' }) as LoadOutcome<Selection>
const select = (text: string): Selection => {
  const outcome = read(text)
  return outcome.valid ? outcome.value : expect.fail(JSON.stringify(outcome.issues))
}
const describeRefusal = (text: unknown): unknown => {
  const outcome = read(text)
  return outcome.valid ? 'accepted' : outcome.issues.map(({ code, message }) => `${code}: ${message}`).join('; ')
}
const selectOnly = (...names: string[]): Selection => ({ fields: new Map(names.map((name) => [name, undefined])) })

describe('reading a selection', () => {
  it('takes names, and names below structures, related types, references and elements of lists', () => {
    expect(select('id')).toEqual(selectOnly('id'))
    expect(select('title,author')).toEqual(selectOnly('title', 'author'))
    expect(select('id,author{name,boss{boss{email}}},parent{tags}').fields).toEqual(
      new Map([
        ['id', undefined],
        [
          'author',
          {
            fields: new Map([
              ['name', undefined],
              ['boss', { fields: new Map([['boss', selectOnly('email')]]) }],
            ]),
          },
        ],
        ['parent', selectOnly('tags')],
      ] as never),
    )
    expect(select('labels{color},grid{x}').fields).toEqual(
      new Map([
        ['labels', selectOnly('color')],
        ['grid', selectOnly('x')],
      ]),
    )
    expect(select('author{blogs{author{blogs{author{blogs{author{blogs{id}}}}}}}}')).toBeDefined()
  })

  it('names below a view are those of the view', () => {
    expect(select('editor{address{city}}')).toBeDefined()
    expect(describeRefusal('editor{email}')).toBe(
      "fields-name: must not name 'editor.email'; use some of name, address",
    )
  })

  it('names of a parameter that is declared with a view are those of the view', () => {
    const narrow = FieldSelector.for(Person.view('card'))
    expect(loadAttributeValue(narrow, 'name,address{city}')).toMatchObject({ valid: true })
    expect(loadAttributeValue(narrow, 'email')).toMatchObject({ issues: [{ code: 'fields-name' }] })
    expect(attributeRules.buildSchema(narrow, new NamedSchemas('input'))).toMatchObject({
      examples: ['name,address{street}'],
    })
  })

  it('tells where an unknown name is and which there are', () => {
    expect(describeRefusal('author{nme}')).toBe(
      "fields-name: must not name 'author.nme'; use some of name, email, address, boss, blogs",
    )
    expect(describeRefusal('labels{color,size}')).toBe(
      "fields-name: must not name 'labels.size'; use some of color, by",
    )
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'author.name', ' id', 'Id', '*', 'é'])
      expect(describeRefusal(name), name).toContain(`fields-name: must not name '${name}'; use some of id, title, `)
    expect(describeRefusal('author{__proto__{name}}')).toContain("must not name 'author.__proto__'")
    expect(describeRefusal(`author{${'x'.repeat(4000)}}`)).toHaveLength(144)
  })

  it('refuses names below what has none', () => {
    for (const name of ['id', 'tags', 'shape']) {
      expect(describeRefusal(`${name}{a}`), name).toBe(`fields-below: must not have names below '${name}'`)
      expect(describeRefusal(`parent{${name}{a}}`), name).toBe(
        `fields-below: must not have names below 'parent.${name}'`,
      )
    }
  })

  it('says at which character the syntax is broken', () => {
    const broken: [string, number][] = [
      ['', 1],
      [',', 1],
      ['id,', 4],
      [',id', 1],
      ['id,,title', 4],
      ['author{}', 8],
      ['author{', 8],
      ['author{name', 12],
      ['author{name,', 13],
      ['author{name,}', 13],
      ['author{name}}', 13],
      ['author{name}{name}', 13],
      ['author{name}id', 13],
      ['id}', 3],
      ['{id}', 1],
    ]
    for (const [text, at] of broken)
      expect(describeRefusal(text), text).toMatch(new RegExp(`^fields-syntax: .* ${at}$`))
  })

  it('refuses a name that comes twice in one place', () => {
    expect(describeRefusal('id,title,id')).toBe("fields-repeated: must name 'id' once")
    expect(describeRefusal('author{name},id,author')).toBe("fields-repeated: must name 'author' once")
    expect(describeRefusal('author{name,name}')).toBe("fields-repeated: must name 'author.name' once")
    expect(select('id,parent{id}')).toBeDefined()
  })

  it('refuses more than 4096 characters, 8 levels of braces or 200 names, and what was sent twice', () => {
    expect(describeRefusal('x'.repeat(4097))).toBe('max-length: must have at most 4096 characters')
    const nested = (levels: number) => `${'parent{'.repeat(levels)}id${'}'.repeat(levels)}`
    expect(describeRefusal(nested(8))).toBe('accepted')
    expect(describeRefusal(nested(9))).toBe('depth: is nested deeper than 8 levels')
    const Wide = mediaType('Wide', {
      attributes: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`a${i}`, t.string()])),
    })
    const names = Object.keys(Wide.attributes)
    expect(loadAttributeValue(FieldSelector.for(Wide), names.slice(1).join(','))).toMatchObject({ valid: true })
    expect(loadAttributeValue(FieldSelector.for(Wide), names.join(','))).toMatchObject({
      issues: [{ code: 'fields-names' }],
    })
    expect(describeRefusal(['id', 'id'])).toBe('repeated: must be sent once')
    expect(describeRefusal({ a: 'id' })).toBe('type: must be a string')
  })

  it('gives equal texts the same selection, for the last hundred of them', () => {
    const selector = FieldSelector.for(Blog)
    const get = (text: string): unknown => (loadAttributeValue(selector, text) as { value?: unknown }).value
    const first = get('id,title')
    expect(get('id,title')).toBe(first)
    const texts = [...'abcdefg'].map((_, i) => Array.from({ length: i + 1 }, () => 'parent{').join(''))
    const names = [
      'id',
      'title',
      'tags',
      'author',
      'editor',
      'labels',
      'grid',
      'shape',
      'id,title',
      'id,tags',
      'id,author',
    ]
    const many = texts.flatMap((open, i) => names.map((name) => `${open}${name}${'}'.repeat(i + 1)}`))
    const more = many.map((text) => `${text},id`)
    for (const text of [...many, ...more]) expect(get(text), text).toBeDefined()
    expect(get('id,title')).not.toBe(first)
    expect(get('id,title')).toEqual(first)
  })

  it('does not remember what it refused', () => {
    expect(describeRefusal('id,nme')).toBe(describeRefusal('id,nme'))
  })
})

describe('the declaration', () => {
  it('describes itself as a text', () => {
    const schema = attributeRules.buildSchema(fields, new NamedSchemas('input'))
    expect(schema).toMatchObject({ type: 'string', maxLength: 4096, examples: ['id,author{name}'] })
    expect(schema['description']).toContain('The wanted fields of Blog')
    const pattern = new RegExp(schema['pattern'] as string, 'u')
    for (const text of ['id', 'id,author{name}', 'author{boss{name}},id']) expect(pattern.test(text), text).toBe(true)
    for (const text of ['', ',id', '{id}', 'id,', 'author{', '}']) expect(pattern.test(text), text).toBe(false)
    const described = FieldSelector.for(Blog, { description: 'What to show' })
    expect(attributeRules.buildSchema(described, new NamedSchemas('input'))['description']).toMatch(
      /^What to show\. Fields: `id`, `title`, .*\n\n\| Field \| Fields below it \| Example \|\n.*`author\{name,email\}`/s,
    )
  })

  it('has an example that it reads', () => {
    const example = attributeRules.makeExample(fields, new ExampleSeed())
    const outcome = dumpAttributeValue(fields, example)
    expect(outcome).toEqual({ valid: true, value: 'id,author{name}' })
    expect(select('id,author{name}')).toEqual(example)
  })

  it('reports names that no text can have', () => {
    expect(attributeRules.findMistakes(fields)).toEqual([])
    const Odd = mediaType('Odd', { attributes: { 'a,b': t.string(), c: t.string() } })
    expect(attributeRules.findMistakes(FieldSelector.for(Odd))).toEqual([
      expect.stringContaining("no selection can name 'a,b' of Odd"),
    ])
  })
})

// --- properties ---------------------------------------------------------------------

/** The types above, modelled independently of the implementation. */
interface Shape {
  readonly all: Readonly<Record<string, (() => Shape) | undefined>>
  /** The fields that are included by default. */
  readonly shown: readonly string[]
  readonly lists?: readonly ('list' | 'hash')[]
}
const plain = undefined
const address = (): Shape => ({ all: { street: plain, city: plain }, shown: ['street', 'city'] })
const person = (): Shape => ({
  all: { name: plain, email: plain, address, boss: person, blogs: () => ({ ...blog(), lists: ['list'] }) },
  shown: ['name', 'email', 'address'],
})
const card = (): Shape => ({ all: { name: plain, address }, shown: ['name', 'address'] })
const label = (): Shape => ({ all: { color: plain, by: person }, shown: ['color', 'by'], lists: ['hash'] })
const point = (): Shape => ({ all: { x: plain, y: plain }, shown: ['x', 'y'], lists: ['list', 'list'] })
const blog = (): Shape => ({
  all: {
    id: plain,
    title: plain,
    tags: plain,
    author: person,
    editor: card,
    parent: blog,
    labels: label,
    grid: point,
    shape: plain,
  },
  shown: ['id', 'title', 'tags', 'labels', 'grid', 'shape'],
})

/** Selections with at most `depth` levels of braces. */
const selections = (shape: Shape, depth: number): fc.Arbitrary<Selection> =>
  fc.shuffledSubarray(Object.keys(shape.all), { minLength: 1 }).chain((names) =>
    fc
      .tuple(
        ...names.map((name) => {
          const below = shape.all[name]
          if (below === undefined || depth === 0) return fc.constant(undefined)
          return fc.option(selections(below(), depth - 1), { nil: undefined })
        }),
      )
      .map((chosen) => ({ fields: new Map(names.map((name, i) => [name, chosen[i]])) })),
  )

const SCALARS: Record<string, unknown> = { id: 7, x: 1, y: 2, tags: ['a'], shape: { kind: 'circle', r: 1 } }

/** Builds a complete value of a shape, with an undeclared property. */
function buildValue(shape: Shape, depth: number, lists = shape.lists ?? []): unknown {
  if (lists[0] === 'list') return [buildValue(shape, depth, lists.slice(1)), buildValue(shape, depth, lists.slice(1))]
  if (lists[0] === 'hash') return { one: buildValue(shape, depth, lists.slice(1)) }
  const entries = Object.entries(shape.all).flatMap(([name, below]) => {
    if (below === undefined) return [[name, SCALARS[name] ?? `the ${name}`]]
    return depth === 0 && below !== address ? [] : [[name, buildValue(below(), depth - 1)]]
  })
  return { ...Object.fromEntries(entries), secret: 'undeclared' }
}

function project(shape: Shape, value: unknown, selection?: Selection, lists = shape.lists ?? []): unknown {
  const rest = lists.slice(1)
  if (lists[0] === 'list') return (value as unknown[]).map((one) => project(shape, one, selection, rest))
  if (lists[0] === 'hash') return { one: project(shape, (value as { one: unknown }).one, selection, rest) }
  const names = selection === undefined ? shape.shown : [...selection.fields.keys()]
  const entries = names.flatMap((name) => {
    const one = (value as Record<string, unknown>)[name]
    const below = shape.all[name]
    if (one === undefined) return []
    return [[name, below === undefined ? one : project(below(), one, selection?.fields.get(name))]]
  })
  return Object.fromEntries(entries)
}

describe('laws', () => {
  it('what is written reads back as the same selection', () => {
    fc.assert(
      // Two levels, so that a selection never exceeds the maximum number of names.
      fc.property(selections(blog(), 2), (selection) => {
        const outcome = dumpAttributeValue(fields, selection)
        expect(select((outcome as { value: string }).value)).toEqual(selection)
      }),
    )
  })

  it('a body shows exactly the selected names, and nothing undeclared', () => {
    const value = buildValue(blog(), 4)
    fc.assert(
      fc.property(selections(blog(), 3), (selection) => {
        const dumping = new Dumping('checked')
        const shown = attributeRules.getDumper(narrowed(Blog, selection))(value, dumping)
        expect(dumping.issues).toBeNull()
        expect(shown).toEqual(project(blog(), value, selection))
        expect(Object.keys(shown as object)).toEqual([...selection.fields.keys()])
        expect(JSON.stringify(shown)).not.toContain('undeclared')
      }),
    )
  })

  it('no text is ever more than refused', () => {
    const pieces = fc.constantFrom('id', 'author', 'parent', 'name', 'grid', 'x', ',', '{', '}', '__proto__', '', '😀')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const text = parts.join('')
        const outcome = read(text)
        if (outcome.valid) expect(dumpAttributeValue(fields, outcome.value)).toEqual({ valid: true, value: text })
        else expect(outcome.issues).toHaveLength(1)
      }),
    )
  })
})
