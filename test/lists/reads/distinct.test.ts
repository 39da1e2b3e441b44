// Distinct values of an attribute: each once, in order, among what a caller sees, of the elements or of those in their lists.
import { mediaType, t } from 'edict'
import { type Datastore, many, one, optional, resource } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../support/runs.ts'
import { contents, everyBed, memoryBed, type Row } from './bed.ts'

const id = t.integer({ required: true })
const Writer = mediaType('Writer', { attributes: { id, name: t.string() } })
const Remark = mediaType('Remark', {
  attributes: { id, post_id: t.integer(), stars: t.integer(), text: t.string(), writer: t.ref(Writer) },
})
const Note = mediaType('Note', {
  attributes: {
    id,
    title: t.string(),
    likes: t.integer(),
    writer: t.ref(Writer),
    remarks: t.array(Remark),
    texts: t.array(t.string()),
    remarkers: t.array(Writer),
  },
})

interface Caller {
  readonly hides: number
}

function notesIn(datastore: Datastore<string>) {
  const writers = resource(datastore, Writer, { table: 'authors' })
  const remarks = resource(datastore, Remark, {
    table: 'comments',
    scope: ({ hides }: Caller) => ({ id: { '!=': hides } }),
    attributes: { writer: one(writers, { author_id: 'id' }) },
  })
  return resource(datastore, Note, {
    table: 'posts',
    scope: ({ hides }: Caller) => ({ id: { '!=': hides } }),
    attributes: {
      writer: one(writers, { author_id: 'id' }),
      remarks: many(remarks, { id: 'post_id' }),
      texts: many(remarks, { id: 'post_id' }, { value: 'text', where: { stars: { '>=': 2 } } }),
      remarkers: many(writers, { id: 'post_id' }, { through: { table: 'comments', on: { author_id: 'id' } } }),
    },
  })
}

const once = <V extends string | number>(values: readonly unknown[], descending: boolean): V[] => {
  const found = [...new Set(values.filter((one) => one !== null && one !== undefined))] as V[]
  return found.sort((a, b) => (a < b ? -1 : 1) * (descending ? -1 : 1))
}

const words = fc.constantFrom('a', 'b', 'A', 'ab', 'c')

await everyBed((bed) => {
  describe('FOR-04 distinct values', () => {
    test('are those of a reference', async () => {
      const { fill, datastore } = bed()
      const notes = notesIn(datastore)
      const drawn = fc.record({
        hides: fc.integer({ min: 0, max: 4 }),
        likes: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        descending: fc.boolean(),
        limit: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
      })
      await fc.assert(
        fc.asyncProperty(contents(words, 8), drawn, async (rows, { hides, likes, descending, limit }) => {
          await fill(rows)
          const isNote = (row: Row | undefined): boolean =>
            row !== undefined && row['id'] !== hides && (likes === undefined || row['likes'] === likes)
          const posts = rows.posts.filter(isNote)
          const byId = (all: readonly Row[], one: unknown): Row | undefined => all.find((row) => row['id'] === one)
          const remarks = rows.comments.filter((row) => isNote(byId(rows.posts, row['post_id'])))
          const seen = remarks.filter((row) => row['id'] !== hides)
          const nameOf = (row: Row) => byId(rows.authors, row['author_id'])?.['name']
          const wanted = {
            title: posts.map((row) => row['title']),
            likes: posts.map((row) => row['likes']),
            'writer.name': posts.map(nameOf),
            'remarks.stars': seen.map((row) => row['stars']),
            'remarks.writer.name': seen.map(nameOf),
            texts: seen.filter((row) => Number(row['stars'] ?? 0) >= 2).map((row) => row['text']),
            'remarkers.name': remarks.map(nameOf),
          }
          for (const [field, values] of Object.entries(wanted)) {
            const found = await notes
              .within({ hides })
              .distinct(field as 'title', { where: { likes: optional(likes) }, descending, limit })
            expect([field, found]).toEqual([field, once(values, descending).slice(0, limit)])
          }
        }),
        { numRuns: runs(12, 400) },
      )
    }, 120_000)
  })
})

describe('FOR-04 distinct values', () => {
  const notes = notesIn(memoryBed().datastore).within({ hides: 0 })

  test('are refused for what has no column, with a remedy', async () => {
    await expect(notes.distinct('remarks')).rejects.toThrow(
      /'remarks' of Note .*Remedy: name an attribute with a column/,
    )
    await expect(notes.distinct('title', { limit: -1 })).rejects.toThrow(/wrong 'limit'/)
  })

  test('are refused where a datastore does not know them', async () => {
    const { selectsDistinct: _, ...datastore } = memoryBed().datastore
    await expect(notesIn(datastore).within({ hides: 0 }).distinct('title')).rejects.toThrow(
      /'title' of Note are not known to its datastore. Remedy: implement `distinct`/,
    )
  })

  test('of a scoped resource need a caller', async () => {
    const { distinct } = notesIn(memoryBed().datastore) as unknown as typeof notes
    await expect(distinct.call(notesIn(memoryBed().datastore), 'title')).rejects.toThrow(/has a scope/)
  })
})
