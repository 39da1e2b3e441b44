// Contradictions that the compiler detects: undeclared names in rules, and defaults of required attributes.

import { describe, it } from 'vitest'
import {
  atLeastOne,
  atMostOne,
  endpoint,
  exactlyOne,
  header,
  inherit,
  mediaType,
  payloadOf,
  route,
  t,
} from '../../index.ts'

const responses = { ok: true } as const
const Book = mediaType('Book', { attributes: { id: t.integer(), title: t.string() } })

describe('rules between attributes', () => {
  const routing = route.post('/')

  it('name what the action or the defaults declare', () => {
    endpoint('Books', {
      mediaType: Book,
      actionDefaults: {
        params: { q: t.string() },
        payload: { a: t.string() },
        requires: { params: [atLeastOne('q', 'r')] },
      },
      actions: {
        own: {
          routing,
          params: { r: t.string() },
          payload: { title: inherit },
          requires: { payload: [exactlyOne('a', 'title')], params: [exactlyOne('q', 'r')] },
          responses,
        },
      },
    })
    endpoint('Books', {
      mediaType: Book,
      actions: {
        whole: {
          routing,
          payload: t.object({ a: t.string(), b: t.string() }),
          requires: { payload: [atLeastOne('a', 'b')] },
          responses,
        },
        other: {
          routing,
          payload: payloadOf(Book, { id: inherit, title: inherit }),
          requires: { payload: [atLeastOne('id', 'title')] },
          responses,
        },
      },
    })
  })

  it('name nothing else', () => {
    endpoint('Books', {
      actions: {
        make: {
          routing,
          payload: { a: t.string(), b: t.string() },
          // @ts-expect-error -- b is misspelled
          requires: { payload: [atLeastOne('a', 'bb')] },
          responses,
        },
      },
    })
    endpoint('Books', {
      actions: {
        find: {
          routing,
          params: { a: t.string(), b: t.string() },
          // @ts-expect-error -- c is not a param
          requires: { params: [atLeastOne('a', 'c')] },
          responses,
        },
      },
    })
    endpoint('Books', {
      // @ts-expect-error -- no action has c
      actionDefaults: { payload: { a: t.string() }, requires: { payload: [atLeastOne('a', 'c')] } },
      actions: { make: { routing, payload: { b: t.string() }, responses } },
    })
  })
})

describe('a rule', () => {
  it('is between two names or more', () => {
    atLeastOne('a', 'b')
    exactlyOne('a', 'b', 'c')
    // @ts-expect-error -- no name
    atLeastOne()
    // @ts-expect-error -- one name
    exactlyOne('a')
    // @ts-expect-error -- nobody knows how many
    atMostOne(...(['a', 'b'] as string[]))
  })
})

describe('an attribute that is required', () => {
  it('takes no default', () => {
    // @ts-expect-error -- both
    t.string({ required: true, default: 'x' })
    // @ts-expect-error -- both
    t.integer({ required: true, default: 1 })
    // @ts-expect-error -- both
    t.boolean({ required: true, default: false })
    // @ts-expect-error -- both
    t.date({ required: true, default: () => '2024-01-01' })
    // @ts-expect-error -- both
    t.array(t.string(), { required: true, default: [] })
    // @ts-expect-error -- both
    t.record(t.string(), { required: true, default: {} })
    // @ts-expect-error -- both
    t.object({ a: t.string() }, { required: true, default: {} })
    // @ts-expect-error -- both
    t.union('is', { a: {} }, { required: true, default: { is: 'a' } })
    // @ts-expect-error -- both
    t.ref(t.string(), { required: true, default: 'x' })
    // @ts-expect-error -- both
    inherit({ required: true, default: 'x' })
    // @ts-expect-error -- both
    header({ required: true, default: 'x' })
  })

  it('and one that is not takes one', () => {
    t.string({ required: false, default: 'x' })
    t.integer({ default: () => 1 })
    t.array(t.string(), { default: [] })
    t.ref(t.string({ required: true }), { default: 'x' })
    inherit({ default: 'x' })
  })
})
