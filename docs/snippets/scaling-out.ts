// The snippets of docs/guide/scaling-out.md.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { FilteringParams, memoryDatastore } from 'edict/mapper'
import { PaginationParams } from 'edict/pagination'
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }), title: t.string() } })
const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Book), filters: FilteringParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
  },
})

const primary = memoryDatastore({
  books: {
    columns: { id: { kind: 'integer', generated: true }, title: { kind: 'text' } },
    key: ['id'],
    rows: [{ title: 'Middlemarch' }, { title: 'Kokoro' }, { title: 'Dubliners' }],
  },
})

// #region processes
import { mapper, resource } from 'edict/mapper'
import { pagination } from 'edict/pagination'

const books = resource(primary, Book, { table: 'books' })
const library = controller(Books, {
  index: async (_, { request, reply }) => reply.ok(await books.list(request)),
})
const make = () => application({ plugins: [mapper({ resources: { books } }), pagination()], controllers: [library] })
// #endregion

/** A link that one process wrote, and the answer of another process to it. */
async function walked(): Promise<string> {
  const one = await ask(make(), 'GET /books?pagination=by=title,items=1')
  const next = /<([^>]*)>; rel="next"/.exec(one.headers.get('Link') ?? '')?.[1] ?? ''
  const place = /after=([^,]*)/.exec(decodeURIComponent(next))?.[1] ?? ''
  const other = await ask(make(), `GET ${next}`)
  return [
    `one process links        ${next}`,
    `its place, decoded       ${Buffer.from(place, 'base64url').toString()}`,
    `another process answers  ${await other.text()}`,
  ].join('\n')
}

// #region replicas
import { ownWrites } from 'edict/mapper'
import { pgDatastore } from 'edict/mapper/pg'
import pg from 'pg'

const pool = (host: string) => new pg.Pool({ host, max: 10, connectionTimeoutMillis: 2000 })
const open = () => pgDatastore(pool('primary'), { replicas: [pool('replica-1'), pool('replica-2')] })

const Shelves = endpoint('Shelves', {
  mediaType: Book,
  actionDefaults: { policies: [ownWrites()] },
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
    create: { routing: route.post('/'), payload: { title: t.string() }, responses: { created: true } },
  },
})
// #endregion

// #region retry
import { type Datastore, retry } from 'edict/mapper'

/** Moves a book in a transaction, which is run again when another one was in its way. */
const move = (datastore: Datastore, transaction: (work: () => Promise<void>) => Promise<void>) =>
  retry(datastore, () =>
    transaction(async () => {
      await books.update(3, { title: 'Ulysses' })
    }),
  )
// #endregion

/** Everything that the page declares. */
export const declared = { open, Shelves, move }

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = { walked }
