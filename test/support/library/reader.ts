// A reader of the library: the same tests for it in every datastore.
import type { Application } from 'edict'
import { afterAll, beforeAll, expect } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { askFetch, type Recorder, recorder } from '../ask.ts'
import { type BookFacts, booksIn } from './facts.ts'
import { type OpenLibrary, type Shelf, shelves } from './open.ts'
import { applicationOf, type Library } from './resources.ts'

/** An answer to a reader. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON; undefined without one. */
  readonly body: unknown
  /** The targets of the links, by their relations. */
  readonly links: Readonly<Record<string, string>>
}

/** A reader of the library in one datastore; it is open only while tests run. */
export class Reader {
  readonly shelf: Shelf
  /** The books of the library. */
  readonly books: readonly BookFacts[]
  readonly log: Recorder = recorder()
  #open: OpenLibrary | undefined
  #app: Application | undefined

  constructor(shelf: Shelf) {
    this.shelf = shelf
    this.books = booksIn(this.dialect)
  }

  get dialect(): DialectName | undefined {
    return this.shelf.engine?.dialect
  }

  get library(): Library {
    return this.#opened.library
  }

  /** The application; what it logs is kept. */
  get app(): Application {
    this.#app ??= applicationOf(this.library, {}, this.log)
    return this.#app
  }

  get #opened(): OpenLibrary {
    if (this.#open === undefined) throw new Error('The library is closed')
    return this.#open
  }

  /** The library as it was opened. */
  get opened(): OpenLibrary {
    return this.#opened
  }

  async open(open: () => Promise<OpenLibrary>): Promise<void> {
    this.#open = await open()
  }

  async close(): Promise<void> {
    await this.#open?.close()
  }

  /** Sends a request, and gives what comes back. */
  async ask(line: string, body?: unknown, app = this.app, type?: string): Promise<Answer> {
    const sent = type === undefined ? { body } : { body, headers: { 'content-type': type } }
    const { status, headers, text } = await askFetch(app, line, sent)
    const links = [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)]
    return {
      status,
      headers,
      body: text === '' ? undefined : JSON.parse(text),
      links: Object.fromEntries(links.map(([, target, relation]) => [relation, target])),
    }
  }

  /** The elements of a list; anything but a list fails the test. */
  async list<E = Record<string, unknown>>(path: string, app = this.app): Promise<E[]> {
    const { status, body } = await this.ask(`GET ${path}`, undefined, app)
    expect([status, body], path).toEqual([200, expect.any(Array)])
    return body as E[]
  }

  /** The ids of a list. */
  async ids(path: string, app = this.app): Promise<number[]> {
    return (await this.list<{ id: number }>(path, app)).map(({ id }) => id)
  }

  /** Does something, and gives the statements that it took. */
  async statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    const { statements } = this.#opened
    statements.length = 0
    await work()
    // The first list asks the database for its catalogue besides.
    return statements
      .splice(0)
      .filter((one) => !/pragma_table_xinfo|pg_catalog\.|information_schema\.|version\(\)/.test(one))
  }
}

/** Runs tests in every datastore, or some of them, each with a library of its own. */
export async function everywhere(
  tests: (reader: Reader) => void,
  included: (shelf: Shelf) => boolean = () => true,
): Promise<void> {
  for (const shelf of (await shelves()).filter(included)) {
    const reader = new Reader(shelf)
    shelf.describe((open) => {
      beforeAll(() => reader.open(open), 60_000)
      afterAll(() => reader.close())
      tests(reader)
    })
  }
}

/** Whether a datastore is a database, whose statements can be seen. */
export const isDatabase = ({ engine }: Shelf): boolean => engine !== undefined

/** A query string of params. */
export const query = (params: Readonly<Record<string, string>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** The ids of elements. */
export const idsOf = (elements: readonly { readonly id: number }[]): number[] => elements.map(({ id }) => id)
