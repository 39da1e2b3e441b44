// The notes of a mock on declarations that it does not understand.
import { endpoint, mediaType, route, t } from 'edict'
import { describeMock, mock } from 'edict/mock'
import { describe, expect, it } from 'vitest'
import { conduitApi } from '../../examples/conduit/api.ts'
import { openDatabase } from '../../examples/conduit/database.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})
const Flag = mediaType('Flag', { attributes: { on: t.boolean() } })
const params = { id: t.integer() }
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: { title: t.string(), shade: t.string() },
      responses: { ok: t.array(Book) },
    },
    fresh: { routing: route.get('/fresh'), responses: { ok: t.array(Book) } },
    show: { routing: route.get('/:id'), params, responses: { ok: Book, notFound: true } },
    create: { routing: route.post('/'), payload: { name: t.string() }, responses: { created: Book } },
    publish: { routing: route.post('/:id/publish'), params, responses: { ok: Book } },
    compare: { routing: route.get('/compare'), responses: { ok: t.object({ old: Book, new: Book }) } },
    like: { routing: route.post('/:id/like'), params, responses: { ok: Book } },
    unlike: { routing: route.delete('/:id/like'), params, responses: { ok: Book } },
  },
})
const Flags = endpoint('Flags', {
  mediaType: Flag,
  actions: {
    index: { routing: route.get('/'), responses: { ok: t.array(Flag) } },
    ping: { routing: route.get('/ping'), responses: { noContent: true } },
  },
})

describe('FOR-02 what a mock does not understand', () => {
  it('is named with its location, the reason and the remedy', () => {
    const notes = describeMock(mock([Books, Flags]))
    expect(notes.map(({ location, problem }) => `${location}: ${problem}`)).toEqual([
      'Flag: none of its attributes identifies an element, so the mock keeps none and responds with examples',
      'Books.index.params.shade: it filters nothing, as Book has no attribute of its name and kind',
      'Books.fresh: it lists every Book, as its declaration does not say which',
      'Books.create: its payload is not kept, as no one part of it has attributes of Book',
      'Books.publish: it changes nothing, as its declaration does not say what it does',
      'Books.compare: it responds with an example, as its response shows several elements: old, new',
      'Books.like: it changes nothing, as its declaration does not say what it does',
      'Books.unlike: it changes nothing, as its declaration does not say what it does',
      'Flags.index: it responds with an example, as neither its path nor its response names elements that the mock keeps',
    ])
    for (const { remedy } of notes) expect(remedy).toMatch(/^[a-z].{20,}[^.]$/)
  })

  it('is little of Conduit', async () => {
    const notes = describeMock(mock(conduitApi(await openDatabase())))
    expect(notes.map(({ location }) => location)).toEqual(['Articles.feed'])
  })

  it('is nothing of another application', async () => {
    expect(describeMock(conduitApi(await openDatabase()))).toEqual([])
  })
})
