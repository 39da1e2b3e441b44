// Real APIs, the example and the library: lists in their own grammar, and the laws of the test kit.
import type { Application } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import { checkApplication } from 'edict/testing'
import LinkHeader from 'http-link-header'
import { blogApi } from '../../../../examples/blog/api.ts'
import { openDatabase } from '../../../../examples/blog/database.ts'
import { applicationOf, libraryIn } from '../../../support/library/resources.ts'
import * as rows from '../../../support/library/rows.ts'
import { memoryTables } from '../../../support/library/schema.ts'
import { Draw } from '../draw.ts'
import type { Tally } from '../explore.ts'
import { broken } from '../laws.ts'
import { type Answered, byFetch, type Sent } from '../transports.ts'
import { BLOGS, BOOKS, type ListKnowledge, listParams, strangeParams } from './lists.ts'

/** A real API, opened. */
interface Opened {
  readonly app: Application
  readonly lists: Readonly<Record<string, ListKnowledge>>
  /** The laws that it breaks on purpose. */
  readonly except?: readonly string[]
  close(): Promise<void>
}

async function openBlog(): Promise<Opened> {
  const database = openDatabase()
  await database.prepare()
  return { app: blogApi(database) as never, lists: { '/v1.0/blogs': BLOGS }, close: () => database.close() }
}

async function openLibrary(): Promise<Opened> {
  const datastore = memoryDatastore(memoryTables)
  const filled = {
    authors: rows.authors,
    books: rows.books,
    reviews: rows.reviews,
    tags: rows.tags,
    book_tags: rows.bookTags,
  }
  for (const [name, all] of Object.entries(filled)) {
    const table = datastore.table(name as never)
    for (const row of all) {
      const values = Object.entries(row).map(([column, value]) => [table.columns.get(column), value] as const)
      await datastore.insert(table, new Map(values) as never)
    }
  }
  const tables = { authors: 'authors', books: 'books', reviews: 'reviews', tags: 'tags', book_tags: 'book_tags' }
  const library = libraryIn(datastore, tables as never)
  const quiet = { info() {}, warn() {}, error() {} }
  return {
    app: applicationOf(library as never, {}, quiet) as never,
    lists: { '/books': BOOKS },
    // How many books of an author a book shows depends on the others of its page.
    except: ['pages', 'filters', 'listed'],
    close: async () => undefined,
  }
}

const WRITERS = { ada: { Authorization: 'Bearer ada-secret' }, grace: { Authorization: 'Bearer grace-secret' } }
/** The share of the requests that ask for lists, and about how many of the others one round of laws takes. */
const LISTS = 0.6
const REQUESTS_PER_ROUND = 1000

/** Sends about so many requests to the real APIs, each fresh at the beginning. */
export async function exploreReal(seed: number, requests: number, tally: Tally): Promise<void> {
  for (const [i, open] of [openBlog, openLibrary].entries()) {
    const opened = await open()
    try {
      await new ListExplorer(opened, new Draw(seed + i), tally).run(requests * LISTS)
      // All else about a real API is for the laws that users check theirs by.
      const rounds = Math.max(1, Math.round(requests / REQUESTS_PER_ROUND))
      const report = await checkApplication(opened.app, {
        seed,
        runs: rounds,
        principals: WRITERS,
        except: opened.except ?? [],
      })
      tally.valid += report.requests
    } finally {
      await opened.close()
    }
  }
}

/** Lists asked for as their grammar allows, and a little otherwise; it is written here without any of our code. */
class ListExplorer {
  readonly #opened: Opened
  readonly #draw: Draw
  readonly #tally: Tally

  constructor(opened: Opened, draw: Draw, tally: Tally) {
    this.#opened = opened
    this.#draw = draw
    this.#tally = tally
  }

  async run(requests: number): Promise<void> {
    for (let i = 0; i < requests; i++) await this.#list()
  }

  async #list(): Promise<void> {
    const { app, lists } = this.#opened
    const [path, knowledge] = this.#draw.pick(Object.entries(lists))
    const strange = this.#draw.chance(0.3)
    const params = (strange ? strangeParams : listParams)(knowledge, this.#draw)
    const query = new URLSearchParams(params)
    const sent: Sent = { method: 'GET', url: `${app.basePath}${path}?${query}`, headers: {}, body: undefined }
    const answered = await byFetch(app, sent)
    this.#tally.lists++
    const law = 'A list that its grammar allows is given'
    if (!strange && answered.status !== 200) broken(law, sent, answered, JSON.stringify(params))
    if (answered.status >= 500) broken('Nothing fails by itself', sent, answered, JSON.stringify(params))
    await this.#links(sent, answered)
  }

  // Links parse, and lead somewhere.
  async #links(sent: Sent, { headers, status }: Answered): Promise<void> {
    const link = headers['link']
    if (link === undefined || status !== 200) return
    const { refs } = LinkHeader.parse(link)
    const { uri, rel } = this.#draw.pick(refs)
    const next = { ...sent, url: uri }
    const followed = await byFetch(this.#opened.app, next)
    this.#tally.lists++
    if (followed.status !== 200) broken(`The link ${rel} of a list leads to a list`, next, followed, `from ${sent.url}`)
  }
}
