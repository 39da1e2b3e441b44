// Writes that give their elements back, many at once, and those that add or change: the same in every datastore.
import { expect, test } from 'vitest'
import { Author, Book, Tag } from '../../support/library/design.ts'
import { everywhere, isDatabase } from '../../support/library/reader.ts'

await everywhere((reader) => {
  const { dialect } = reader

  /** How many statements some work takes; memory has none. */
  async function statementsOf(work: () => Promise<unknown>): Promise<number | undefined> {
    const taken = await reader.statementsOf(work)
    return isDatabase(reader.shelf) ? taken.length : undefined
  }
  const expected = (count: number): number | undefined => (isDatabase(reader.shelf) ? count : undefined)

  test('[LST-08] create gives the element back, in one statement where the row has all that is shown', async () => {
    const { authors, books } = reader.library
    let made: unknown
    const count = await statementsOf(async () => {
      made = await authors.create({ name: 'Sand', born_on: '1804-07-01', home: { city: 'Nohant' } }, { shown: Author })
    })
    expect(made).toEqual({ id: expect.any(Number), name: 'Sand', born_on: '1804-07-01', home: { city: 'Nohant' } })
    expect(count).toBe(expected(1))
    const { id } = made as { id: number }
    const book = await books.create({ title: 'Indiana', pages: 7, author: { id } }, { shown: Book.view('card') })
    expect(book).toEqual({ id: expect.any(Number), title: 'Indiana', author: made })
    expect(await books.create({ title: 'Lélia', author: null }, { shown: Book })).toMatchObject({
      title: 'Lélia',
      tags: [],
      label: expect.stringMatching(/^\d+: Lélia$/),
    })
  })

  test('[LST-08] update gives the element back, in one statement where the database can', async () => {
    const { authors, books } = reader.library
    const { id } = await authors.create({ name: 'Bell', home: { city: 'Haworth' } })
    let changed: unknown
    const count = await statementsOf(async () => {
      changed = await authors.update(id, { name: 'Brontë' }, { shown: Author })
    })
    expect(changed).toEqual({ id, name: 'Brontë', born_on: null, home: { city: 'Haworth' } })
    expect(count).toBe(expected(dialect === 'mysql' ? 2 : 1))
    expect(await authors.update(id, {}, { shown: Author })).toEqual(changed)
    expect(await authors.update(999_999, { name: 'Nobody' }, { shown: Author })).toBeUndefined()
    const moved = await authors.update(id, { id: id + 5000, name: 'Moved' }, { rekey: true, shown: Author })
    expect(moved).toMatchObject({ id: id + 5000, name: 'Moved' })
    const { id: book } = await books.create({ title: 'Villette', author: { id: id + 5000 } })
    const card = await books.update(book, { title: 'Shirley' }, { shown: Book.view('card') })
    expect(card).toEqual({ id: book, title: 'Shirley', author: moved })
  })

  test('[LST-08] createMany adds all or none, in one statement, and gives the elements in their order', async () => {
    const { tags, books } = reader.library
    const names = Array.from({ length: 50 }, (_, i) => `tag ${(i * 7) % 50}`)
    let made: readonly { name?: string }[] = []
    const list = names.map((name) => ({ name }))
    const count = await statementsOf(async () => {
      made = await tags.createMany(list, { shown: Tag })
    })
    expect(made.map(({ name }) => name)).toEqual(names)
    expect(count).toBe(expected(1))
    const before = (await tags.list({ limit: 0, count: true })).total
    const twice = [9001, 9002, 9001].map((id, i) => ({ id, name: `new ${i}` }))
    await expect(tags.createMany(twice)).rejects.toMatchObject({ code: 'conflict' })
    expect((await tags.list({ limit: 0, count: true })).total).toBe(before)
    expect(await tags.createMany([])).toEqual([])
    const keys = await books.createMany([{ title: 'a' }, { title: 'b', pages: 3 }, { title: 'c' }])
    const shown = await books.createMany([{ title: 'a' }, { title: 'b', pages: 3 }], { shown: Book.view('card') })
    expect(keys.map((key) => Object.keys(key))).toEqual([['id'], ['id'], ['id']])
    expect(await Promise.all(keys.map(async ({ id }) => (await books.find(id))?.title))).toEqual(['a', 'b', 'c'])
    expect(shown.map(({ title }) => title)).toEqual(['a', 'b'])
  })

  test('[LST-08] createMany names what it refuses by the location of its element', async () => {
    const { books } = reader.library
    const refused = await books
      .createMany([{ title: 'a' }, { title: 'b', label: 'x' }, { title: 'c', label: 'y' }])
      .catch((e) => e)
    expect(refused.problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/1/label', '/2/label'])
  })

  test('[LST-08] upsert adds an element, or changes the one that is there, and gives it', async () => {
    const { reviews, authors } = reader.library
    const one = { book_id: 4000, number: 1 }
    const first = await reviews.upsert({ ...one, stars: 3, text: 'fine' })
    expect(first).toEqual(one)
    expect(await reviews.find(one)).toMatchObject({ stars: 3, text: 'fine' })
    await reviews.upsert({ ...one, stars: 4 })
    expect(await reviews.find(one)).toMatchObject({ stars: 4, text: 'fine' })
    let made: unknown
    const count = await statementsOf(async () => {
      made = await authors.upsert({ id: 4000, name: 'Woolf' }, { shown: Author })
    })
    expect(made).toMatchObject({ id: 4000, name: 'Woolf' })
    expect(count).toBe(expected(dialect === 'mysql' ? 3 : 1))
    expect(await authors.upsert({ id: 4000, name: 'V. Woolf' }, { shown: Author })).toMatchObject({ name: 'V. Woolf' })
    for (const [values, pointer] of [
      [{ name: 'nobody' }, '/id'],
      [{ id: 4000 }, '/name'],
    ] as const) {
      const problem = { errors: [{ pointer, code: 'missing' }] }
      await expect(authors.upsert(values as never)).rejects.toMatchObject({ problem })
    }
    await expect(authors.upsert({ name: 'Woolf' }, { by: ['name'] })).rejects.toThrow(
      'Author cannot be put by name: no key and no unique set of authors has exactly these columns',
    )
  })

  test('[LST-08] upsert goes by a unique set that the datastore knows of', async () => {
    const { tags } = reader.library
    const put = (name: string) => tags.upsert({ name }, { by: ['name'], shown: Tag })
    const isKnown = tags['~resource'].table.unique?.some((set) => set.join() === 'name') ?? false
    if (!isKnown) return expect(put('gothic')).rejects.toThrow('Tag cannot be put by name')
    const made = await put('gothic')
    expect(made).toEqual({ id: expect.any(Number), name: 'gothic' })
    expect(await put('gothic')).toEqual(made)
    const own = { id: 12_345, name: 'gothic' }
    await expect(tags.upsert(own, { by: ['name'] })).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/id' }] },
    })
    await expect(tags.upsert({ ...own, id: 12_345 })).rejects.toMatchObject({ code: 'conflict' })
  })
})
