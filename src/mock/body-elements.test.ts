// Elements in bodies and payloads, in envelopes of any name, depth and siblings.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediaType } from '../design/declare/media-type.ts'
import { readShownPart } from '../design/fields/shown-part.ts'
import type { Attribute } from '../schema/attribute.ts'
import { t } from '../schema/t.ts'
import { withMember } from '../testing/values/payload-members.ts'
import { findBodyElements } from './body-elements.ts'
import { findPayloadPath } from './payload-part.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer(), title: t.string(), author: t.object({ name: t.string() }) },
  views: { brief: ['id', 'title'] },
})
const Shelf = mediaType('Shelf', { attributes: { id: t.integer(), room: t.string() } })

const body = (attribute: Attribute) => ({ attribute, list: false }) as never

const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 3 })

/** Puts an attribute at a path, with a sibling at each level. */
const wrap = (path: readonly string[], inner: Attribute): Attribute =>
  path.reduceRight<Attribute>((one, name) => t.object({ [name]: one, [`${name}Count`]: t.integer() }), inner)

describe('[FOR-01] elements in bodies', () => {
  const forms: readonly (readonly [string, Attribute, boolean])[] = [
    ['a media type', Book, false],
    ['a reference', t.ref(Book, { required: true }), false],
    ['a later reference', t.ref(() => Book), false],
    ['a view', t.ref(Book.view('brief'), { required: true }), false],
    ['a list', t.array(Book), true],
    ['a list of references', t.array(t.ref(Book.view('brief'), { nullable: true })), true],
  ]

  it.each(forms)('%s is found in any envelope', (_, form, isList) => {
    fc.assert(
      fc.property(names, (path) => {
        expect(findBodyElements(body(wrap(path, form)))).toMatchObject({ path, isList, mediaType: Book })
      }),
    )
  })

  it('side by side are those of the endpoint, or the only list, or none', () => {
    const both = t.object({ a: t.ref(Book), b: t.ref(Shelf) })
    expect(findBodyElements(body(both))).toBeUndefined()
    expect(findBodyElements(body(both), Shelf)).toMatchObject({ path: ['b'], mediaType: Shelf })
    const withList = t.object({ shelf: t.ref(Shelf), books: t.array(Book) })
    expect(findBodyElements(body(withList))).toMatchObject({ path: ['books'], isList: true })
    expect(findBodyElements(body(t.object({ count: t.integer() })))).toBeUndefined()
  })
})

describe('[FOR-01] elements in payloads', () => {
  it('are where most attributes of the media type are', () => {
    fc.assert(
      fc.property(names, (path) => {
        fc.pre(!path.some((name) => ['id', 'title', 'author'].includes(name)))
        const payload = wrap(path, t.object({ title: t.string(), author: t.object({ name: t.string() }) }))
        expect(findPayloadPath(payload, Book)).toEqual(path)
        const value = withMember({}, path, { title: 'x' })
        expect(readShownPart(value, path)).toEqual({ title: 'x' })
      }),
    )
  })

  it('are never within an attribute of the element', () => {
    expect(findPayloadPath(t.object({ author: t.object({ id: t.integer(), title: t.string() }) }), Book)).toEqual([])
  })
})
