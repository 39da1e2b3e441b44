// Real APIs under requests that are drawn from their own documents: the example and the library.
import type { Application, OpenapiDocument, Operation } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import LinkHeader from 'http-link-header'
import { blogApi } from '../../../../examples/blog/api.ts'
import { openDatabase } from '../../../../examples/blog/database.ts'
import { operationsOf } from '../../../support/documents/requests.ts'
import { applicationOf, libraryIn } from '../../../support/library/resources.ts'
import * as rows from '../../../support/library/rows.ts'
import { memoryTables } from '../../../support/library/schema.ts'
import { Draw } from '../draw.ts'
import type { Tally } from '../explore.ts'
import { broken } from '../laws.ts'
import { type Answered, byFetch, type Sent, survivesParsing } from '../transports.ts'
import { type Body, jsonBody, multipartBody, pairsOf, pairsOfAll, queryText } from './encode.ts'
import { SchemaValues } from './from-schema.ts'
import { BLOGS, BOOKS, type ListKnowledge, listParams, strangeParams } from './lists.ts'

/** A real API, opened. */
interface Opened {
  readonly app: Application
  readonly lists: Readonly<Record<string, ListKnowledge>>
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
    close: async () => undefined,
  }
}

/** Sends so many requests to the real APIs, each fresh at the beginning. */
export async function exploreDocuments(seed: number, requests: number, tally: Tally): Promise<void> {
  for (const [i, open] of [openBlog, openLibrary].entries()) {
    const opened = await open()
    try {
      await new DocumentExplorer(opened, new Draw(seed + i), tally).run(requests)
    } finally {
      await opened.close()
    }
  }
}

/** Where values of the example and the library are found. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '2', '3', '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01'],
  blog_id: ['1', '2'],
  person_id: ['1'],
  slug: ['note-g', 'the-first-bug'],
  post_slug: ['note-g'],
  handle: ['notes', 'letters'],
}

class DocumentExplorer {
  readonly #opened: Opened
  readonly #draw: Draw
  readonly #tally: Tally
  readonly #documents: readonly {
    readonly document: OpenapiDocument
    readonly values: SchemaValues
  }[]

  constructor(opened: Opened, draw: Draw, tally: Tally) {
    this.#opened = opened
    this.#draw = draw
    this.#tally = tally
    this.#documents = opened.app.versions.map((version) => {
      const document = opened.app.openapi(version)
      return { document, values: new SchemaValues(document, draw) }
    })
  }

  async run(requests: number): Promise<void> {
    for (let i = 0; i < requests; i++) await (this.#draw.chance(0.6) ? this.#list() : this.#operation())
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

  async #operation(): Promise<void> {
    const { document, values } = this.#draw.pick(this.#documents)
    const located = this.#draw.pick(operationsOf(document))
    const [server] = document.servers
    const sent = this.#request(server?.url === '/' ? '' : (server?.url ?? ''), located, values)
    if (sent === undefined || !survivesParsing(sent.url)) return
    const answered = await byFetch(this.#opened.app, sent)
    this.#tally.valid++
    if (answered.status >= 500) broken('Nothing fails by itself', sent, answered)
  }

  #request(
    base: string,
    { path, verb, operation }: { path: string; verb: string; operation: Operation },
    values: SchemaValues,
  ): Sent | undefined {
    const draw = this.#draw
    const pairs: (readonly [string, string])[] = []
    const headers: Record<string, string> = { Authorization: `Bearer ${draw.pick(['ada-secret', 'nobody'])}` }
    let url = path
    for (const { in: place, name, required, schema } of (operation.parameters ?? []) as any[]) {
      if (required !== true && !draw.chance(0.3)) continue
      const known = draw.chance(0.7) ? KNOWN[name] : undefined
      const value = known === undefined ? values.of(schema) : draw.pick(known)
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(String(value) || 'x'))
      else if (place === 'query') pairs.push(...(pairsOf(name, texts(value), draw) as never[]))
      else if (/^[ -~]+$/.test(String(value))) headers[name] = String(value)
    }
    const body = verb === 'get' || verb === 'head' ? undefined : this.#body(operation, values)
    if (body !== undefined) headers['Content-Type'] = body.type
    const query = queryText(pairs, draw)
    return {
      method: verb.toUpperCase(),
      url: `${base}${url}${query === '' ? '' : `?${query}`}`,
      headers,
      body: body?.bytes,
    }
  }

  #body({ requestBody }: Operation, values: SchemaValues): Body | undefined {
    const draw = this.#draw
    const content = Object.entries(requestBody?.content ?? {})
    if (content.length === 0) return undefined
    const [type, { schema }] = draw.pick(content)
    const value = values.of(schema as never)
    if (/json/.test(type)) return jsonBody(value, draw)
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (/multipart/.test(type) && object) return multipartBody(pairsOfAll(texts(value), draw))
    if (/urlencoded/.test(type) && object)
      return { type, bytes: Buffer.from(queryText(pairsOfAll(texts(value), draw), draw)) }
    return { type: type.replace('*/*', 'image/png').replace('/*', '/plain'), bytes: Buffer.from(String(value)) }
  }
}

// Queries and forms carry text only; what is null cannot be said there.
function texts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(texts)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, texts(one)]))
  return String(value)
}
