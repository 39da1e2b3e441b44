// The parts that bodies show, in envelopes of any names, depth and siblings.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attribute } from '../../schema/attribute.ts'
import { t } from '../../schema/t.ts'
import { mediaType } from '../declare/media-type.ts'
import { parseSelection, selectFields, toSelectableBody } from './selection.ts'
import { findShownPart, listShownParts, readShownPart } from './shown-part.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string() },
  views: { short: ['id'] },
})
const Other = mediaType('Other', { attributes: { id: t.integer() } })

const forms: Readonly<Record<string, () => Attribute>> = {
  'a media type': () => Book,
  'a view': () => Book.view('short'),
  'a reference with options': () => t.ref(Book, { required: true, nullable: true }),
  'a reference to a function': () => t.ref(() => Book.view('short')),
  'a list': () => t.array(Book, { required: true }),
  'a list of a view': () => t.ref(() => t.array(t.ref(Book.view('short'), { required: true }))),
}

const siblings: Readonly<Record<string, Attribute>> = {
  count: t.integer(),
  meta: t.object({ at: t.dateTime(), tags: t.array(t.string()) }),
  links: t.record(t.string()),
}

const steps = fc.array(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !(name in siblings) && name !== '__proto__'),
    beside: fc.subarray(Object.keys(siblings)),
    isLazy: fc.boolean(),
  }),
  { maxLength: 5 },
)

describe('FOR-01 what an envelope of any name, depth and siblings shows', () => {
  it('is found, read and selected from', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(...Object.keys(forms)), (around, form) => {
        const part = (forms[form] as () => Attribute)()
        const body = around.reduceRight((inner: Attribute, { name, beside, isLazy }) => {
          const object = t.object({
            ...Object.fromEntries(beside.map((one) => [one, siblings[one] as Attribute])),
            [name]: inner,
          })
          return isLazy ? t.ref(() => object) : object
        }, part)
        const path = around.map(({ name }) => name)
        const found = findShownPart(body)
        expect([found?.path, found?.isList]).toEqual([path, form.includes('list')])
        expect(['default', 'short']).toContain('~view' in (found?.resource ?? {}) ? 'short' : 'default')
        const value = around.reduceRight((inner: unknown, { name }) => ({ [name]: inner }), 'here')
        expect(readShownPart(value, path)).toBe('here')
        const selectable = toSelectableBody(body, Book, selectFields(Book, parseSelection(['title']))) as Attribute
        let one = path.reduce((above: Attribute, name) => above.core.children[name] as Attribute, selectable)
        one = one.core.element ?? one
        expect(Object.keys(one.core.children)).toEqual(['title'])
        expect(one.options.required).toBe(form.includes('options') || form.includes('of a view') ? true : undefined)
      }),
    )
  })

  it('is a list rather than the element beside it, and the outer of two', () => {
    const body = t.object({ author: Book, books: t.array(Book), deep: t.object({ books: t.array(Book) }) })
    expect(findShownPart(body)?.path).toEqual(['books'])
    expect(findShownPart(t.object({ other: Other, book: Book }), Book)?.path).toEqual(['book'])
    expect(readShownPart({ books: null }, ['books', 'x'])).toBeUndefined()
  })

  it('is nothing where there are several, or none', () => {
    const two = t.object({ old: Book, in: t.object({ new: Book }), late: Book })
    expect(findShownPart(two)).toBeUndefined()
    expect(listShownParts(two).map(({ path }) => path.join('.'))).toEqual(['old', 'late', 'in.new'])
    for (const none of [t.string(), t.object({ a: t.any() }), t.array(t.string())])
      expect(findShownPart(none)).toBeUndefined()
  })
})
