// Elements of a mock that belong to each other, under any sequence of requests: what is removed is named by nothing, what a
// list no longer holds is free, or gone where it cannot be alone.
import { collectionOf, endpoint, type MediaType, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const id = t.integer({ required: true })
const text = t.string({ required: true })
const Author = mediaType('Author', { attributes: { id, name: text } })
const Essay = mediaType('Essay', {
  attributes: { id, title: text, author_id: t.integer(), author: Author, volume_id: t.integer() },
  views: { default: ['id', 'title', 'author_id', 'author', 'volume_id'] },
})
const Page = mediaType('Page', { attributes: { id, text, volume_id: t.integer({ required: true }) } })
const Quote = mediaType('Quote', { attributes: { id, page_id: t.integer({ required: true }), essay_id: t.integer() } })
const Volume = mediaType('Volume', {
  attributes: { id, name: text, essays: t.array(Essay), pages: t.array(Page) },
  views: { default: ['id', 'name', 'essays', 'pages'] },
})

const params = { id: t.integer() }
function endpointOf(name: string, of: MediaType, payload: object) {
  return endpoint(name, {
    mediaType: of,
    actions: {
      index: { routing: route.get('/'), responses: { ok: collectionOf(of) } },
      show: { routing: route.get('/:id'), params, responses: { ok: of, notFound: true } },
      create: { routing: route.post('/'), payload, responses: { created: of, conflict: true } },
      change: { routing: route.patch('/:id'), params, payload, responses: { ok: of, notFound: true } },
      remove: { routing: route.delete('/:id'), params, responses: { ok: of, notFound: true } },
    },
  } as never)
}
const key = { id: t.integer() }
const essays = t.array(t.object({ ...key, title: t.string() }))
const pages = t.array(t.object({ ...key, text: t.string(), volume_id: t.integer() }))
const world = [
  endpointOf('Authors', Author, { ...key, name: t.string() }),
  endpointOf('Essays', Essay, { ...key, title: t.string(), author_id: t.integer({ nullable: true }) }),
  endpointOf('Pages', Page, { text: t.string(), volume_id: t.integer() }),
  endpointOf('Quotes', Quote, { page_id: t.integer(), essay_id: t.integer() }),
  endpointOf('Volumes', Volume, { name: t.string(), essays, pages }),
] as never[]

interface Held {
  readonly authors: Map<number, { name: string }>
  readonly essays: Map<number, { title: string; author: number | null; volume: number | null }>
  readonly pages: Map<number, { text: string; volume: number }>
  readonly quotes: Map<number, { page: number; essay: number | null }>
  readonly volumes: Map<number, { name: string }>
}

class World {
  readonly #app = mock(world, { rows: 4 })
  readonly #held: Held = {
    authors: new Map(),
    essays: new Map(),
    pages: new Map(),
    quotes: new Map(),
    volumes: new Map(),
  }

  /** The greatest key of what was made by being in a list. */
  #made = 100

  async ask(line: string, body?: unknown): Promise<{ status: number; body: any }> {
    const [method = '', path = ''] = line.split(' ')
    const sent = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await this.#app.fetch(
      new Request(`http://a${path}`, { method, ...(body !== undefined && { ...sent }) }),
    )
    return { status: response.status, body: await response.json() }
  }

  /** Takes over what there is at the beginning. */
  async begin(): Promise<this> {
    const { authors, essays, pages, quotes, volumes } = this.#held
    for (const one of (await this.ask('GET /authors')).body) authors.set(one.id, { name: one.name })
    for (const one of (await this.ask('GET /essays')).body)
      essays.set(one.id, { title: one.title, author: one.author_id ?? null, volume: one.volume_id ?? null })
    for (const one of (await this.ask('GET /pages')).body) pages.set(one.id, { text: one.text, volume: one.volume_id })
    for (const one of (await this.ask('GET /quotes')).body)
      quotes.set(one.id, { page: one.page_id, essay: one.essay_id ?? null })
    for (const one of (await this.ask('GET /volumes')).body) volumes.set(one.id, { name: one.name })
    return this
  }

  #shown(kind: keyof Held, id: number): object {
    const { authors, essays, pages, quotes, volumes } = this.#held
    if (kind === 'authors') return { id, ...authors.get(id) }
    if (kind === 'pages') return { id, text: pages.get(id)?.text, volume_id: pages.get(id)?.volume }
    if (kind === 'quotes') return { id, page_id: quotes.get(id)?.page, essay_id: quotes.get(id)?.essay }
    if (kind === 'essays') {
      const { title, author, volume } = essays.get(id)!
      const whole = author === null ? null : this.#shown('authors', author)
      return { id, title, author_id: author, author: whole, volume_id: volume }
    }
    const within = (of: 'essays' | 'pages') => [...this.#held[of]].filter(([, one]) => one.volume === id)
    return {
      id,
      name: volumes.get(id)?.name,
      essays: within('essays').map(([own]) => this.#shown('essays', own)),
      pages: within('pages').map(([own]) => this.#shown('pages', own)),
    }
  }

  /** Looks at all that there is: in lists, and one by one. */
  async look(): Promise<void> {
    for (const kind of KINDS) {
      const expected = [...this.#held[kind].keys()].map((own) => plain(this.#shown(kind, own)))
      expect([kind, plain((await this.ask(`GET /${kind}`)).body)]).toEqual([kind, plain(expected)])
      for (const own of this.#held[kind].keys())
        expect(plain((await this.ask(`GET /${kind}/${own}`)).body)).toEqual(plain(this.#shown(kind, own)))
    }
  }

  #any(kind: keyof Held, at: number): number | undefined {
    const keys = [...this.#held[kind].keys()]
    return keys[at % Math.max(keys.length, 1)]
  }

  async take({ do: what, kind, at, other, name }: Step): Promise<void> {
    const own = this.#any(kind, at)
    if (what === 'remove') return this.#remove(kind, own)
    if (what === 'again') return this.#again(own)
    if (what === 'write') return this.#write(this.#any('essays', at), this.#any('authors', other), name)
    return this.#gather(this.#any('volumes', at), other, name)
  }

  // A removed element is shown once more, as it was.
  async #remove(kind: keyof Held, own: number | undefined): Promise<void> {
    const { essays, pages, quotes, volumes } = this.#held
    if (own === undefined) return expect((await this.ask(`DELETE /${kind}/999`)).status).toBe(404)
    const before = this.#shown(kind, own)
    const { status, body } = await this.ask(`DELETE /${kind}/${own}`)
    expect([status, plain(body)]).toEqual([200, plain(before)])
    expect((await this.ask(`GET /${kind}/${own}`)).status).toBe(404)
    this.#held[kind].delete(own)
    for (const essay of essays.values()) {
      if (kind === 'authors' && essay.author === own) essay.author = null
      if (kind === 'volumes' && essay.volume === own) essay.volume = null
    }
    for (const [page, { volume }] of pages) if (!volumes.has(volume)) pages.delete(page)
    for (const [quote, one] of quotes) {
      if (!pages.has(one.page)) quotes.delete(quote)
      if (kind === 'essays' && one.essay === own) one.essay = null
    }
  }

  // An author under the key of a deleted one is another element, which nothing refers to yet.
  async #again(own: number | undefined): Promise<void> {
    if (own === undefined || !this.#held.authors.has(own)) return
    await this.#remove('authors', own)
    const { status, body } = await this.ask('POST /authors', { id: own, name: 'Again' })
    expect([status, body]).toEqual([201, { id: own, name: 'Again' }])
    expect((await this.ask('POST /authors', { id: own, name: 'Twice' })).status).toBe(409)
    this.#held.authors.set(own, { name: 'Again' })
  }

  async #write(own: number | undefined, author: number | undefined, title: string): Promise<void> {
    const author_id = author ?? null
    const { status, body } =
      own === undefined
        ? await this.ask('POST /essays', { title, author_id })
        : await this.ask(`PATCH /essays/${own}`, { title, author_id })
    expect(status).toBe(own === undefined ? 201 : 200)
    const before = this.#held.essays.get(body.id)
    this.#held.essays.set(body.id, { title, author: author_id, volume: before?.volume ?? null })
    expect(plain(body)).toEqual(plain(this.#shown('essays', body.id)))
  }

  // Lists that are sent take the place of those before: named elements move, others are new.
  async #gather(own: number | undefined, other: number, name: string): Promise<void> {
    if (own === undefined) return
    const { essays, pages } = this.#held
    const moved = [...new Set([other, other + 1].flatMap((at) => this.#any('essays', at) ?? []))]
    const made = ++this.#made
    // An existing element keeps its own title.
    const named = moved.map((one) => ({ id: one, title: 'Not this' }))
    const kept = other % 4 === 3 ? undefined : this.#any('pages', other)
    const again = kept === undefined ? [] : [{ id: kept, text: 'Not this', volume_id: own }]
    const sent =
      other % 4 === 3
        ? { essays: [], pages: [] }
        : {
            essays: [...named, { id: made, title: name }],
            pages: [...again, { id: made, text: name, volume_id: own }],
          }
    const { status, body } = await this.ask(`PATCH /volumes/${own}`, sent)
    expect(status).toBe(200)
    for (const [page, { volume }] of pages) if (volume === own && page !== kept) pages.delete(page)
    for (const essay of essays.values()) if (essay.volume === own) essay.volume = null
    for (const [quote, { page }] of this.#held.quotes) if (!pages.has(page)) this.#held.quotes.delete(quote)
    if (sent.essays.length > 0) {
      for (const one of moved) essays.get(one)!.volume = own
      essays.set(made, { title: name, author: null, volume: own })
      if (kept !== undefined) pages.get(kept)!.volume = own
      pages.set(made, { text: name, volume: own })
    }
    expect(plain(body)).toEqual(plain(this.#shown('volumes', own)))
  }
}

/** Absent values are left out, and elements are in the order of their keys. */
function plain(value: any): any {
  if (Array.isArray(value)) return value.map(plain).sort((a, b) => a.id - b.id)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, plain(one)]])))
}

const KINDS = ['authors', 'essays', 'pages', 'quotes', 'volumes'] as const

const step = fc.record({
  do: fc.constantFrom('remove', 'again', 'write', 'gather'),
  kind: fc.constantFrom<keyof Held>(...KINDS),
  at: fc.nat(5),
  other: fc.nat(5),
  name: fc.stringMatching(/^[a-z]{1,6}$/),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const taken = (what: Step['do'], kind: Step['kind'], at: number, other = 0): Step => {
  return { do: what, kind, at, other, name: 'a' }
}

/** Everything of a kind removed, one after the other; and each of the other steps, after one of its own kind. */
const examples: [Step[]][] = [
  ...KINDS.map((kind): [Step[]] => [Array.from({ length: 5 }, () => taken('remove', kind, 0))]),
  [[0, 1, 2, 3].map((other) => taken('gather', 'volumes', other % 2, other))],
  [[taken('write', 'essays', 0, 1), taken('again', 'authors', 1), taken('write', 'essays', 1, 1)]],
]

describe('elements of a mock that belong to each other', () => {
  it('hold together under any sequence of requests', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const made = await new World().begin()
        await made.look()
        for (const one of steps) {
          await made.take(one)
          await made.look()
        }
      }),
      { numRuns: examples.length + runs(3, 150), examples },
    ),
  )
})
