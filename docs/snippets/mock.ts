// The snippets of docs/guide/mock.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region design
import { collectionOf, endpoint, inherit, mediaType, route, security, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }), name: t.string() } })
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 80 }),
    year: t.integer({ min: 1900, max: 1999, nullable: true }),
    author: Author,
  },
})
const token = security.bearer<{ id: number }>('token')

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Book),
        filters: FilteringParams.for(Book, { year: {}, 'author.name': { wildcards: true } }),
        order: OrderingParams.for(Book),
        pagination: PaginationParams.for(Book),
      },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      security: token,
      payload: { title: inherit, year: inherit },
      responses: { created: { location: /^\/books\/\d+$/ } },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
// #endregion

// #region mock
import { mock } from 'edict/mock'

const app = mock([Books])
// #endregion

// #region open
const open = mock([Books], { rows: 5, auth: 'open', title: 'Books, soon' })
// #endregion

const Drafts = endpoint('Drafts', {
  mediaType: Book,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book } },
    publish: { routing: route.post('/:id/publish'), params: { id: t.integer() }, responses: { ok: Book } },
  },
})

// #region notes
import { describeMock } from 'edict/mock'

const notes = describeMock(mock([Drafts]))
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

const headers = { authorization: 'Bearer anything' }

// One after the other: each sees what the one before has changed.
async function story(): Promise<string> {
  const fresh = mock([Books])
  const lines: string[] = []
  for (const line of ['POST /books', 'GET /books/31', 'DELETE /books/31', 'GET /books/31'])
    lines.push(await answers(fresh, [line.startsWith('POST') ? [line, { headers, body: { title: 'Notes' } }] : line]))
  return lines.join('\n')
}

/** The answers that the page shows. */
export const shown: Shown = {
  notes: () => notes.map(({ location, problem, remedy }) => `${location}: ${problem}. Remedy: ${remedy}.`).join('\n'),
  list: () =>
    exchange(
      app,
      'GET /books?fields=id,title,author{name}&filters=year<1950&order=-title&pagination=page=1,items=2,total_count=true',
    ),
  created: () => exchange(mock([Books]), 'POST /books', { headers, body: { title: 'Notes', year: 1843 + 100 } }),
  story,
  refused: () =>
    answers(app, [
      'GET /books/x',
      'GET /books?order=colour',
      'GET /books?filters=title=a',
      ['POST /books', { headers, body: { year: 1843 } }],
      ['POST /books', { body: { title: 'Notes' } }],
    ]),
  open: () => answers(open, [['POST /books', { body: { title: 'Notes' } }]]),
}
