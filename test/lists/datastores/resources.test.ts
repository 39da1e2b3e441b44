// Resources in every datastore: what finds, creates, changes and removes their elements, and what happens when it cannot.
import { isConflict } from 'edict/mapper'
import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../../src/server/problem/refusal.ts'
import { Book } from '../../support/library/design.ts'
import { authors, reviews, sorted } from '../../support/library/facts.ts'
import { everywhere, idsOf, isDatabase } from '../../support/library/reader.ts'

/** The code that something is refused with. */
async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (isRefusal(error)) return error.code
    throw error
  }
  return 'nothing'
}

await everywhere((reader) => {
  const { books: facts, dialect } = reader
  const byId = (id: number) => facts.find((book) => book.id === id)

  describe('list', () => {
    const list = async (where?: object) => {
      const found = await reader.library.books.list({ where: where as never, limit: Infinity })
      return found.map(({ id }) => id)
    }

    test.each<readonly [string, object, (book: (typeof facts)[number]) => boolean]>([
      ['nothing', {}, () => true],
      ['equality', { lent: true, kind: 'novel' }, ({ lent, kind }) => lent && kind === 'novel'],
      ['no value', { price: null }, ({ price }) => price === null],
      ['any value', { price: { '!=': null } }, ({ price }) => price !== null],
      ['one of several', { id: [1, 2, 60, 2] }, ({ id }) => id < 3],
      ['one of none', { id: [] }, () => false],
      ['difference', { kind: { '!=': 'novel' } }, ({ kind }) => kind !== 'novel'],
      ['a stretch', { id: { '>': 5, '<=': 9 } }, ({ id }) => id > 5 && id <= 9],
      [
        'moments',
        { added_at: { '>=': new Date('2024-02-29T12:00:00.124Z') } },
        ({ added_at }) => (added_at ?? 0) >= 1709208000124000,
      ],
      ['bigints', { copies: { '<': 0n } }, ({ copies }) => copies !== null && copies < 0n],
      ['others', { 'author.name': 'Ada' }, ({ author }) => author?.name === 'Ada'],
      ['several of others', { 'author.name': ['Ada', 'ada'] }, ({ author }) => author?.name.toLowerCase() === 'ada'],
      ['no other', { author: null }, ({ author }) => author === null],
      [
        'lists',
        { tags: 'sql', 'reviews.stars': { '>=': 3 } },
        ({ tags, reviews: all }) => tags.includes('sql') && all.some(({ stars }) => stars >= 3),
      ],
    ])('with conditions on %s', async (_, where, holds) => {
      expect(await list(where)).toEqual(idsOf(sorted(facts.filter(holds), '')))
    })

    test('with conditions that mean nothing', async () => {
      await expect(async () => list({ title: undefined })).rejects.toThrow("The condition on 'title' is undefined")
      await expect(async () => list({ title: { like: 'x' } })).rejects.toThrow("'like' does not compare; use one of")
      await expect(async () => list({ nothing: 1 })).rejects.toThrow("The field 'nothing' has no column")
      await expect(async () => list({ notes: 1 })).rejects.toThrow("The field 'notes' has no column")
      await expect(async () => list({ label: 'x' })).rejects.toThrow("The field 'label' has no column")
    })
  })

  describe('find', () => {
    test('by the key, with what the default view shows', async () => {
      const book = await reader.library.books.find(2)
      const { title, copies, tags, opens_at } = byId(2) as (typeof facts)[number]
      expect(book).toMatchObject({ id: 2, title, copies, tags, opens_at, label: '2: A%_*[x]!', shelf_mates: 1 })
      expect(book?.added_at).toEqual(new Date('2024-02-29T12:00:00.124Z'))
      expect(book).not.toHaveProperty('author')
      expect(await reader.library.books.find(1)).toMatchObject({
        pages: null,
        copies: null,
        added_at: null,
        notes: null,
      })
    })

    test('by a key of several fields, or by other fields', async () => {
      const { reviews: all, books, authors: writers } = reader.library
      const { by: _, ...review } = reviews.find(({ book_id, number }) => book_id === 4 && number === 2) ?? { by: null }
      expect(await all.find({ book_id: 4, number: 2 })).toEqual(review)
      expect(await writers.find({ name: 'Zoë' })).toMatchObject({ id: 3 })
      const [first] = sorted(
        facts.filter(({ author }) => author?.name === 'Ada'),
        '',
      )
      expect(await books.find({ 'author.name': 'Ada' })).toMatchObject({ id: first?.id })
      expect(await books.find({ id: 3, title: 'Nothing' })).toBeUndefined()
      await expect(all.find(4)).rejects.toThrow('The key of Review has several fields: give them as an object')
      await expect(books.find({})).rejects.toThrow('Nothing says which Book is meant')
      await expect(books.find({ title: undefined } as never)).rejects.toThrow("The condition on 'title' is undefined")
    })

    test('of nothing', async () => {
      for (const id of [0, -1, 1000, 2 ** 40, Number.MAX_SAFE_INTEGER])
        expect(await reader.library.books.find(id)).toBeUndefined()
    })

    test('with a view, and with what a request selects', async () => {
      const card = await reader.library.books.find(2, Book.view('card'))
      expect(card).toEqual({ id: 2, title: 'A%_*[x]!', author: expect.objectContaining({ id: 5, name: 'Ngũgĩ' }) })
      const { body } = await reader.ask('GET /books/2?fields=title,author{name},reviews{stars}')
      const { reviews: all } = byId(2) as (typeof facts)[number]
      expect(body).toEqual({
        title: 'A%_*[x]!',
        author: { name: 'Ngũgĩ' },
        reviews: all.map(({ stars }) => ({ stars })),
      })
    })
  })

  describe('create', () => {
    test('gives the key, generated or not, and writes what it is given', async () => {
      const { books } = reader.library
      const values = {
        title: 'New 😀',
        subtitle: null,
        kind: 'essay' as const,
        pages: -5,
        price: 0.1,
        copies: 9007199254740985n,
        lent: true,
        published_on: '2024-02-29',
        added_at: new Date('1999-12-31T23:59:59.987Z'),
        opens_at: '23:59:59',
        notes: { deep: [{ é: [null, true, 1.5, ''] }] },
      }
      const { id } = await books.create({ ...values, author: { id: 3 } })
      expect(id).toBeGreaterThan(47)
      const made = await books.find(id as number)
      expect(made).toMatchObject(values)
      expect(await books.find({ id: id as number, 'author.id': 3 })).toBeDefined()
      expect(await books.create({ id: 500, title: 'Given' })).toEqual({ id: 500 })
      expect(await books.delete(500)).toBe(true)
      expect(await books.delete(id as number)).toBe(true)
    })

    test('with a structure, and with a key of several fields', async () => {
      const { authors: writers, reviews: all } = reader.library
      const { id } = await writers.create({ name: 'New', home: { city: 'Here' } })
      expect(await writers.find(id as number)).toEqual({ id, name: 'New', born_on: null, home: { city: 'Here' } })
      expect(await writers.delete(id as number)).toBe(true)
      const key = { book_id: 800, number: 1 }
      expect(await all.create({ ...key, stars: 5, by: null })).toEqual(key)
      expect(await all.find(key)).toEqual({ ...key, stars: 5, text: null })
      expect(await all.delete(key)).toBe(true)
    })

    test('refuses what has no attribute, and what is not kept here', async () => {
      const { books } = reader.library
      const places = async (values: object): Promise<unknown> => {
        const error = await books.create({ title: 'x', ...values }).catch((thrown: unknown) => thrown)
        return isRefusal(error)
          ? error.problem.errors?.map(({ in: part, pointer, code }) => [part, pointer, code].join(' '))
          : error
      }
      expect(await places({ nothing: 1 })).toEqual(['payload /nothing unwritable'])
      expect(await places({ label: 'y', tags: ['none of the tags'] })).toEqual(['payload /label unwritable'])
      expect(await places({ tags: ['none of the tags'] })).toEqual(['payload /tags/0 unknown-related'])
      expect(await places({ author: { name: 'Ada' } })).toEqual(['payload /author/id missing'])
      expect(await books.find({ title: 'x' })).toBeUndefined()
    })

    test('[FOR-03] is shown in the view, the media type or the fields that a call names', async () => {
      const { books } = reader.library
      const card = Book.view('card')
      const facts = byId(5)
      const fields = { id: 5, author: { name: facts?.author?.name } }
      expect(await books.find(5, { fields: ['id', 'author.name'] })).toEqual(fields)
      expect(await books.list({ where: { id: 5 }, shown: card })).toEqual([await books.find(5, card)])
      expect(await books.list({ where: { id: 5 }, shown: Book })).toEqual([await books.find(5)])
      const streamed: unknown[] = []
      for await (const one of books.stream({ where: { id: 5 }, shown: card })) streamed.push(one)
      expect(streamed).toEqual([await books.find(5, card)])
      const made = await books.create(
        { title: 'Shown', author: { id: 3 } },
        { shown: { fields: ['title', 'author.id'] } },
      )
      expect(made).toEqual({ title: 'Shown', author: { id: 3 } })
      const [found] = await books.list({ where: { title: 'Shown' }, fields: ['id'] })
      const id = found?.id as number
      expect(await books.update(id, { pages: 7 }, { shown: { fields: ['pages'] } })).toEqual({ pages: 7 })
      expect(await books.delete(id)).toBe(true)
    })

    test('[FOR-03] is not shown in a form that says nothing', async () => {
      const { books } = reader.library
      const shown = (form: object) => async () => books.find(5, form as never)
      await expect(shown({ fields: ['nothing'] })).rejects.toThrow("reads 'nothing', which does not exist")
      await expect(shown({ fields: [] })).rejects.toThrow('reads no fields')
      await expect(shown({})).rejects.toThrow('give a request, a view or { fields: [...] }')
      await expect(shown({ fields: 'id' })).rejects.toThrow('give a request, a view or { fields: [...] }')
      const both = { fields: ['id'], shown: Book.view('card') } as const
      await expect(async () => books.list(both)).rejects.toThrow("has both 'fields' and 'shown'")
      await expect(async () => books.list({ shown: 'card' as never })).rejects.toThrow('give a view or a media type')
    })

    // Memory has no references and SQLite minds them only when told to; neither has short integers.
    const minds = dialect === 'postgres' || dialect === 'mysql'

    test('refuses values that do not fit, with unfit-value', async () => {
      const { books } = reader.library
      expect(await refusalOf(() => books.create({ title: null } as never))).toBe('unfit-value')
      expect(await refusalOf(() => books.create({} as never))).toBe('unfit-value')
      // Memory holds any whole number.
      if (dialect !== undefined)
        expect(await refusalOf(() => books.create({ title: 'x', copies: 2n ** 63n }))).toBe('unfit-value')
      if (dialect === 'mysql')
        expect(await refusalOf(() => books.create({ title: 'x'.repeat(201) }))).toBe('unfit-value')
    })

    if (minds)
      test('says nothing of columns to who sends a number beyond one', async () => {
        const { books } = reader.library
        expect(await refusalOf(() => books.create({ title: 'x', pages: 2 ** 31 }))).toBe('unfit-value')
        const answer = await reader.ask('POST /books', { title: 'x', pages: 2147483648 })
        expect([answer.status, answer.body]).toMatchObject([422, { code: 'unfit-value' }])
        expect(JSON.stringify(answer.body)).not.toMatch(/integer|range of|column '/i)
      })

    test('refuses a key that exists, with conflict', async () => {
      const { books, reviews: all } = reader.library
      const again = () => books.create({ id: 3, title: 'Again' })
      expect(await refusalOf(again)).toBe('conflict')
      expect(await refusalOf(() => all.create({ book_id: 1, number: 1, stars: 1 }))).toBe('conflict')
      const error: unknown = await again().catch((thrown: unknown) => thrown)
      expect([isConflict(error), isConflict(new Error('conflict'))]).toEqual([true, false])
      expect(await books.find(3)).toMatchObject({ title: byId(3)?.title })
    })

    if (minds)
      test('refuses a reference to nothing', async () => {
        const { books, authors: writers } = reader.library
        expect(await refusalOf(() => books.create({ title: 'x', author: { id: 999 } }))).toBe('conflict')
        expect(await refusalOf(() => books.update(3, { author: { id: 999 } }))).toBe('conflict')
        expect(await refusalOf(() => writers.delete(2))).toBe('conflict')
        const answer = await reader.ask('POST /books', { title: 'x', author: { id: 999 } })
        expect(answer.status).toBe(409)
        const errors = [expect.objectContaining({ in: 'payload', pointer: '/author/id', code: 'missing-reference' })]
        expect(answer.body).toEqual({
          ...{ type: 'about:blank', title: expect.any(String), status: 409, code: 'conflict' },
          errors,
        })
      })
  })

  describe('update', () => {
    test('changes what is sent, empties what is null, and leaves the rest', async () => {
      const { books } = reader.library
      const before = await books.find(9)
      expect((await reader.ask('PATCH /books/9', { title: 'Changed', subtitle: null })).status).toBe(204)
      expect(await books.find(9)).toEqual({ ...before, title: 'Changed', subtitle: null, label: '9: Changed' })
      expect(await books.update(9, { subtitle: undefined, pages: 7 })).toBe(true)
      expect(await books.find(9)).toMatchObject({ title: 'Changed', subtitle: null, pages: 7 })
      // A change to the same value counts as a change.
      expect(await books.update(9, { pages: 7 })).toBe(true)
      expect(await refusalOf(() => books.update(9, { title: null } as never))).toBe('unfit-value')
    })

    test('of nothing, or to nothing', async () => {
      const { books } = reader.library
      expect(await books.update(1000, { title: 'x' })).toBe(false)
      expect(await books.update(1000, {})).toBe(false)
      expect(await books.update(9, {})).toBe(true)
      expect((await reader.ask('PATCH /books/1000', { title: 'x' })).status).toBe(404)
      expect(await books.update({ id: 9, lent: byId(9)?.lent !== true }, { title: 'x' })).toBe(false)
      await expect(async () => books.update({ title: 'Winter' }, { pages: 1 })).rejects.toThrow(
        "The key of Book lacks its field 'id'",
      )
      await expect(async () => books.delete({ title: 'Winter' })).rejects.toThrow("lacks its field 'id'")
    })

    test('of a structure in part, and of all of it', async () => {
      const { authors: writers } = reader.library
      const { id } = await writers.create({ name: 'Part', home: { city: 'A', country: 'B' } })
      expect(await writers.update(id as number, { home: { city: 'C' } })).toBe(true)
      expect(await writers.find(id as number)).toMatchObject({ home: { city: 'C', country: 'B' } })
      expect(await writers.update(id as number, { home: null })).toBe(true)
      expect(await writers.find(id as number)).toEqual({ id, name: 'Part', born_on: null })
      expect(await writers.delete(id as number)).toBe(true)
    })

    test('of a reference to another resource', async () => {
      const author = async () => (await reader.ask('GET /books/11?fields=author{name}')).body
      expect((await reader.ask('PATCH /books/11', { author: { id: 3 } })).status).toBe(204)
      expect(await author()).toEqual({ author: { name: authors[2]?.name } })
      expect((await reader.ask('PATCH /books/11', { author: null })).status).toBe(204)
      expect(await author()).toEqual({})
    })
  })

  test('delete removes one element and tells whether there was one', async () => {
    const { books } = reader.library
    const { id } = await books.create({ title: 'Short-lived' })
    expect((await reader.ask(`DELETE /books/${id}`)).status).toBe(204)
    expect((await reader.ask(`DELETE /books/${id}`)).status).toBe(404)
    expect(await books.find(id as number)).toBeUndefined()
    expect(await books.find(5)).toBeDefined()
  })
})

await everywhere((reader) => {
  test('a transaction is read in, committed and rolled back', async () => {
    const { library, opened } = { library: reader.library, opened: reader.opened }
    await opened.transaction(async ({ books }) => {
      await books.create({ id: 700, title: 'Kept' })
      expect(await books.find(700)).toMatchObject({ title: 'Kept' })
    })
    expect(await library.books.find(700)).toMatchObject({ title: 'Kept' })
    const failed = opened.transaction(async ({ books, reviews: all }) => {
      expect(await books.update(700, { title: 'Lost' })).toBe(true)
      await all.create({ book_id: 700, number: 1, stars: 1 })
      expect(await books.list({ where: { 'reviews.stars': 1, id: 700 }, limit: Infinity })).toHaveLength(1)
      throw new Error('Changed my mind')
    })
    await expect(failed).rejects.toThrow('Changed my mind')
    expect(await library.books.find(700)).toMatchObject({ title: 'Kept' })
    expect(await library.reviews.find({ book_id: 700, number: 1 })).toBeUndefined()
    expect(await library.books.delete(700)).toBe(true)
  })
}, isDatabase)
