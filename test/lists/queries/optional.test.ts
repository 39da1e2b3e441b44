// Optional conditions: left out when their value is undefined, in lists only. Everything else that is undefined stays refused.
import { mediaType, t } from 'edict'
import { many, memoryDatastore, optional, resource, type Where } from 'edict/mapper'
import { describe, expect, test } from 'vitest'

const id = t.integer({ required: true })
const Tag = mediaType('Tag', { attributes: { id, book_id: t.integer(), name: t.string() } })
const Book = mediaType('Book', {
  attributes: { id, title: t.string(), year: t.integer({ nullable: true }), tags: t.array(Tag) },
})
const text = { kind: 'text' } as const
const whole = { kind: 'integer', nullable: true } as const
const datastore = memoryDatastore({
  books: {
    columns: { id: { kind: 'integer' }, title: text, year: whole },
    key: ['id'],
    rows: [
      { id: 1, title: 'Winds', year: 1914 },
      { id: 2, title: 'Tides', year: null },
      { id: 3, title: 'Winds', year: 1920 },
    ],
  },
  tags: {
    columns: { id: { kind: 'integer' }, book_id: whole, name: text },
    key: ['id'],
    rows: [{ id: 1, book_id: 1, name: 'sea' }],
  },
})
const tags = resource(datastore, Tag, { table: 'tags' })
const books = resource(datastore, Book, { table: 'books', attributes: { tags: many(tags, { id: 'book_id' }) } })
const unset: string | undefined = undefined

const ids = async (where: Where<typeof Book.attributes>): Promise<unknown> =>
  (await books.list({ where, fields: ['id'] })).map((one) => one.id)

describe('FOR-04 optional conditions', () => {
  test('hold with a value, and are left out without one', async () => {
    expect(await ids({ title: optional('Winds') })).toEqual([1, 3])
    expect(await ids({ title: optional(unset) })).toEqual([1, 2, 3])
    expect(await ids({ title: optional(unset), id: 2 })).toEqual([2])
    expect(await ids({ title: optional(['Tides']), year: optional(null) })).toEqual([2])
  })

  test('may be ends of a range, and conditions on elements of a list', async () => {
    expect(await ids({ year: { '>=': optional(1915), '<': optional(undefined) } })).toEqual([3])
    expect(await ids({ year: { '>=': optional(undefined) } })).toEqual([1, 2, 3])
    expect(await ids({ tags: { any: { name: optional('sea') } } })).toEqual([1])
    // Without its only condition, "any" does not ask for a tag.
    expect(await ids({ tags: { any: { name: optional(unset) } } })).toEqual([1, 2, 3])
  })

  test('undefined without the mark stays refused', async () => {
    await expect(books.list({ where: { title: undefined as never } })).rejects.toThrow(/is undefined; .*optional/)
  })

  test('are refused where conditions decide what a caller reaches', async () => {
    const message = /The condition on '\w+' is optional, and none can be left out here.*Remedy: give its value/
    await expect(books.find({ id: optional(undefined) } as never)).rejects.toThrow(message)
    await expect(books.update({ id: optional(undefined) } as never, { title: 'x' })).rejects.toThrow()
    await expect(books.delete({ id: optional(undefined) } as never)).rejects.toThrow()
    const own = resource(datastore, Book, {
      table: 'books',
      scope: ({ title }: { title?: string }) => ({ title: optional(title) }),
      attributes: { tags: false },
    })
    await expect(own.within({}).list({})).rejects.toThrow(message)
    expect(() =>
      resource(datastore, Book, {
        table: 'books',
        attributes: { tags: many(tags, { id: 'book_id' }, { where: { name: optional(unset) } }) },
      }),
    ).toThrow(message)
  })
})
