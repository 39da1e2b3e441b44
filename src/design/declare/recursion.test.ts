// Media types that refer to themselves and to each other, with getters and without type annotations.

import { describe, expect, expectTypeOf, it } from 'vitest'
import { loadAttributeValue } from '../../../test/support/load-value.ts'
import { ExampleSeed } from '../../schema/example.ts'
import { NamedSchemas } from '../../schema/json-schema.ts'
import { t } from '../../schema/t.ts'
import { attributeRules } from '../attribute-rules.ts'
import { collectionOf } from './collection.ts'
import { mediaType } from './media-type.ts'

const Remark = mediaType('Remark', {
  attributes: {
    id: t.integer({ required: true }),
    text: t.string({ required: true }),
    get answers() {
      return t.array(Remark)
    },
    get parent() {
      return t.ref(Remark, { nullable: true })
    },
  },
  views: { short: ['id', 'text'] },
})

const Author = mediaType('Author', {
  attributes: {
    name: t.string({ required: true }),
    get books() {
      return t.array(Book, { required: true })
    },
  },
})

const Book = mediaType('Book', {
  attributes: {
    title: t.string({ required: true }),
    get author() {
      return t.ref(Author, { required: true })
    },
    get sequel() {
      return Book.view('brief')
    },
  },
  views: { brief: ['title'] },
})

describe('[EDT-07] media types that refer to themselves and each other', () => {
  it('have the types of their values, however deep', () => {
    type RemarkValue = (typeof Remark)['~type']
    expectTypeOf<NonNullable<NonNullable<RemarkValue['answers']>[number]['parent']>['text']>().toEqualTypeOf<string>()
    type BookValue = (typeof Book)['~type']
    expectTypeOf<BookValue['author']['books'][number]['author']['name']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<BookValue['sequel']>['title']>().toEqualTypeOf<string>()
    const text: string | undefined = ({} as RemarkValue).answers?.[0]?.text
    expect(text).toBeUndefined()
  })

  it('say once that they may be null', () => {
    const schemas = new NamedSchemas()
    expect(attributeRules.buildSchema(Remark.attributes.parent, schemas)).toEqual({
      anyOf: [{ $ref: '#/$defs/Remark' }, { type: 'null' }],
    })
  })

  it('load and refuse values at every depth', async () => {
    const remark = { id: 1, text: 'a', answers: [{ id: 2, text: 'b', answers: [{ id: 3, text: 'c' }], parent: null }] }
    expect(await loadAttributeValue(Remark, remark)).toMatchObject({ valid: true, value: remark })
    const wrong = { id: 1, text: 'a', answers: [{ id: 2, text: 'b', answers: [{ id: '3x', text: 'c' }] }] }
    expect(await loadAttributeValue(Remark, wrong)).toMatchObject({
      valid: false,
      issues: [{ pointer: '/answers/0/answers/0/id' }],
    })
    const book = { title: 'Emma', author: { name: 'Jane', books: [{ title: 'Persuasion' }] } }
    expect(await loadAttributeValue(Book, book)).toMatchObject({
      valid: false,
      issues: [{ pointer: '/author/books/0/author', code: 'missing' }],
    })
  })

  it('ask a getter once, and not before the attribute is needed', () => {
    let calls = 0
    const Counted = mediaType('Counted', {
      attributes: {
        id: t.integer(),
        get self() {
          calls++
          return t.array(Counted)
        },
      },
    })
    expect(Counted.view('default').attributes).toHaveProperty('id')
    expect([Counted.attributes.self, Counted.attributes.self, calls]).toMatchObject([{}, {}, 1])
  })

  it('have an example that ends', () => {
    expect(attributeRules.makeExample(Remark, new ExampleSeed())).toMatchObject({ text: expect.any(String) })
    expect(attributeRules.makeExample(Book, new ExampleSeed())).toMatchObject({ title: expect.any(String) })
    expect(
      attributeRules.makeExample(collectionOf(Remark, { view: 'short' }).of, new ExampleSeed()),
    ).not.toHaveProperty('answers')
  })

  it('say what a getter gave that is no attribute', () => {
    const Odd = mediaType('Odd', {
      attributes: {
        get self() {
          return 3 as never
        },
      },
    })
    expect(attributeRules.findMistakes((Odd.attributes as { self: typeof Book }).self)).toMatchObject([
      { problem: 'it is 3, not an attribute' },
    ])
  })
})
