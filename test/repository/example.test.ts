// The example API, endpoint by endpoint: on SQLite over a socket and through app.fetch, on PostgreSQL; and its README, word
// by word.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { type Database, openDatabase } from '../../examples/blog/database.ts'
import { type Answered, type Asked, askFetch, askSocket } from '../support/ask.ts'
import type { TestDatabase } from '../support/engines/engine.ts'
import { startPostgres } from '../support/engines/postgres.ts'

const ada = { authorization: 'Bearer ada-secret' }
const grace = { authorization: 'Bearer grace-secret' }
const pixel = new Uint8Array([137, 80, 78, 71])

const postgres = await startPostgres()

describe('the example over a socket', () => example(askSocket, inMemory))
describe('the example over app.fetch', () => example(askFetch, inMemory))
describe('the example on', () => postgres.describe((engine) => example(askFetch, engine.createDatabase)))

async function inMemory(): Promise<Pick<TestDatabase, 'url' | 'close'>> {
  return { url: '', close: async () => undefined }
}

function example(way: typeof askFetch, createDatabase: typeof inMemory): void {
  let app: ReturnType<typeof blogApi>
  let database: Database
  let place: Awaited<ReturnType<typeof inMemory>>

  beforeEach(async () => {
    place = await createDatabase()
    database = openDatabase(place.url)
    await database.prepare()
    app = blogApi(database)
  })

  afterEach(async () => {
    await database.close()
    await place.close()
  })

  const ask = (line: string, asked?: Asked): Promise<Answered> => way(app, line.replace(' /', ' /api/'), asked)
  const status = async (line: string, asked?: Asked): Promise<number> => (await ask(line, asked)).status
  const form = async (parts: Record<string, string | File>): Promise<Asked> => {
    const data = new FormData()
    for (const [name, value] of Object.entries(parts)) data.append(name, value)
    const encoded = new Response(data)
    const type = encoded.headers.get('content-type') as string
    return { headers: { ...ada, 'content-type': type }, body: new Uint8Array(await encoded.arrayBuffer()) }
  }

  it('leads people from the root to its documentation', async () => {
    for (const path of ['/', '/api', '/api/']) {
      const { status, headers } = await way(app, `GET ${path}`)
      expect([status, headers['location']]).toEqual([303, '/api/docs'])
    }
    expect(await status('GET /docs')).toBe(200)
    expect((await way(app, 'POST /')).status).toBe(404)
    expect((await way(app, 'GET /nothing')).status).toBe(404)
  })

  describe('Blogs', () => {
    const ids = async (query: string): Promise<number[]> =>
      (await ask(`GET /v1.0/blogs${query}`)).json.map((blog: { id: number }) => blog.id)
    const filtered = (filters: string): Promise<number[]> => ids(`?filters=${encodeURIComponent(filters)}&utm_source=x`)

    it('lists those that match', async () => {
      expect(await ids('')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(await filtered('kind=company')).toEqual([2, 4, 7, 10])
      expect(await filtered('tags=machines&tags=mathematics')).toEqual([1])
      expect(await filtered('tags=compilers|owner.name=Ada*')).toEqual([1, 2, 3, 6, 9, 12])
      expect(await filtered('contact!')).toEqual([1])
      expect(await filtered('rating!!')).toEqual([3, 7, 11])
      const wrong = '?filters=kind=hobby&dry_run=perhaps'
      const { json } = await ask(`GET /v1.0/blogs${wrong}`, { headers: { 'x-client-build': 'new' } })
      expect(json.errors.map((one: { pointer: string }) => one.pointer).sort()).toEqual([
        '/X-Client-Build',
        '/dry_run',
        '/filters',
      ])
    })

    it('lists them in an order, in parts, and with the fields that are wanted', async () => {
      const query = '?order=-rating,-title&pagination=by=rating,items=5,total_count=true&fields=id,owner{name}'
      const { json, headers } = await ask(`GET /v1.0/blogs${query}`)
      expect(json[0]).toEqual({ id: 3, owner: { name: 'Ada Lovelace' } })
      expect(headers['total-count']).toBe('12')
      const seen = json.map(({ id }: { id: number }) => id)
      for (let link = headers['link']; link !== undefined; ) {
        const next = /<\/api([^>]*)>; rel="next"/.exec(link)?.[1]
        if (next === undefined) break
        const more = await ask(`GET ${next}`)
        seen.push(...more.json.map(({ id }: { id: number }) => id))
        link = more.headers['link']
      }
      expect(seen).toEqual(await ids('?order=-rating,-title'))
      expect(await status('GET /v1.0/blogs?pagination=items=101')).toBe(400)
      expect(await status('GET /v1.0/blogs?order=page_views')).toBe(400)
      expect(await status('GET /v1.0/blogs?fields=token')).toBe(400)
    })

    it('shows one under both of its paths, with its owner and every kind of attribute', async () => {
      const { json, headers } = await ask('GET /v1.0/blogs/1')
      expect(json).toMatchObject({
        page_views: '9007199254740993',
        digest_at: '07:30',
        owner: { name: 'Ada Lovelace' },
      })
      expect(json.owner).not.toHaveProperty('token')
      expect(headers).toMatchObject({ etag: '"1"', 'cache-control': 'max-age=60' })
      expect(headers).toHaveProperty('server-timing')
      expect((await ask('GET /v1.0/b/1')).json).toEqual(json)
      expect(await status('GET /v1.0/blogs/99')).toBe(404)
    })

    it('finds one by its handle', async () => {
      expect((await ask('GET /v1.0/blogs/@letters')).json).toMatchObject({ id: 3 })
      expect(await status('GET /v1.0/blogs/@nobody')).toBe(404)
    })

    it('creates one, with a first post, until there are enough', async () => {
      const tags = ['machines', 'wings']
      const body = { title: 'Flyology', handle: 'flyology', kind: 'personal', welcome: true, tags }
      expect((await ask('POST /v1.0/blogs?dry_run=true', { headers: ada, body })).json).toMatchObject({ open: true })
      const { status: created, headers } = await ask('POST /v1.0/blogs', { headers: ada, body })
      expect([created, headers['location']]).toEqual([201, '/api/v1.0/blogs/13'])
      expect((await ask('GET /v1.0/blogs/13/posts')).json).toMatchObject([{ slug: 'welcome' }])
      expect((await ask('GET /v1.0/blogs/13')).json).toMatchObject({ tags, owner: { id: 1 } })
      expect(await status('POST /v1.0/blogs', { headers: ada, body })).toBe(409)
      const fifth = await ask('POST /v1.0/blogs', { headers: ada, body: { ...body, handle: 'more' } })
      expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '86400'])
    })

    it('requests a token before it looks at the request', async () => {
      const { status, headers } = await ask('POST /v1.0/blogs', { body: { nonsense: true } })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="Blogs"'])
      expect(headers).toHaveProperty('x-request-id')
    })

    it('changes what was sent and leaves the rest', async () => {
      const headers = { ...ada, 'if-match': '"1"' }
      expect(await status('PATCH /v1.0/blogs/1', { headers, body: { digest_at: null } })).toBe(204)
      expect((await ask('GET /v1.0/blogs/1')).json).toMatchObject({ title: 'Notes on the Engine', digest_at: null })
      expect(await status('PATCH /v1.0/blogs/1', { headers, body: { title: 'Late' } })).toBe(412)
      expect(await status('PATCH /v1.0/blogs/1', { headers: ada, body: { tags: ['wings', 'maps'] } })).toBe(204)
      expect((await ask('GET /v1.0/blogs/1')).json).toMatchObject({ tags: ['maps', 'wings'] })
      expect(await status('PATCH /v1.0/blogs/1', { headers: grace, body: { title: 'Mine' } })).toBe(403)
      expect(await status('PATCH /v1.0/blogs/99', { headers: ada, body: {} })).toBe(404)
    })

    it('takes many changes at once', async () => {
      const tags = ['wings', 'maps']
      const changes = Array.from({ length: 20 }, (_, i) => [
        status('PATCH /v1.0/blogs/1', { headers: ada, body: { title: `Notes ${i}`, tags } }),
        status('POST /v1.0/blogs/1/subscriptions', { body: { email: `reader-${i}@example.com` } }),
      ])
      expect(new Set(await Promise.all(changes.flat()))).toEqual(new Set([204, 202]))
    })

    it('hands one over', async () => {
      const to = (email: string): Asked => ({ headers: ada, body: { email, note: 'Take care.' } })
      expect(await status('PUT /v1.0/blogs/1/owner', to('nobody@example.com'))).toBe(422)
      expect(await status('PUT /v1.0/blogs/1/owner', to('grace@example.com'))).toBe(204)
      expect((await ask('GET /v1.0/blogs/1')).json.owner.id).toBe(2)
    })

    it('removes one, if that is confirmed', async () => {
      const headers = { ...ada, 'x-confirm': 'delete' }
      expect(await status('DELETE /v1.0/blogs/3', { headers: ada })).toBe(400)
      expect(await status('DELETE /v1.0/blogs/3', { headers })).toBe(204)
      expect(await status('DELETE /v1.0/blogs/3', { headers })).toBe(404)
      expect(await status('DELETE /v1.0/blogs/1', { headers })).toBe(204)
      expect(await database.db.$count(database.tables.comments)).toBe(0)
    })

    it('exports one line by line', async () => {
      const { headers, text } = await ask('GET /v1.0/blogs/2/export')
      expect(headers['content-type']).toBe('application/x-ndjson')
      expect(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([{ blog: 'Compiler Diaries' }, { post: 'the-first-bug' }])
      expect(await status('GET /v1.0/blogs/99/export')).toBe(404)
    })
  })

  describe('Posts', () => {
    const posts = '/v1.0/blogs/1/posts'

    it('lists the published ones, also of some time', async () => {
      const slugs = async (rest: string): Promise<string[]> =>
        (await ask(`GET ${posts}${rest}`)).json.map((post: { slug: string }) => post.slug)
      expect(await slugs('?order=-published_at')).toEqual(['on-punched-cards', 'note-g'])
      expect(await slugs('?slugs[]=note-g&slugs[]=untitled')).toEqual(['note-g'])
      expect(await slugs('?filters=reading_minutes>5')).toEqual(['note-g'])
      expect(await slugs('?published[after]=2024-02-01T00:00:00Z')).toEqual(['on-punched-cards'])
      expect(await slugs('/archive/2024-01')).toEqual(['note-g'])
      expect(await status(`GET ${posts}/archive/24-1`)).toBe(404)
      expect(await status('GET /v1.0/blogs/99/posts')).toBe(404)
      expect(await status(`GET ${posts}?published[after]=yesterday`)).toBe(400)
    })

    it('pages through them by their moments, three of which are always the same', async () => {
      const seen: string[] = []
      let path = '/v1.0/blogs/4/posts?order=-published_at&pagination=by=published_at,items=4&fields=slug'
      while (path !== '') {
        const { json, headers } = await ask(`GET ${path}`)
        seen.push(...json.map(({ slug }: { slug: string }) => slug))
        path = /<\/api([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
      }
      expect(seen).toHaveLength(22)
      expect(new Set(seen).size).toBe(22)
      expect(seen.slice(0, 3)).toEqual(['letter-24', 'letter-23', 'letter-21'])
    })

    it('shows one in the form that the client wants', async () => {
      const { json, headers } = await ask(`GET ${posts}/note-g`)
      expect(json).toMatchObject({
        author: { id: 1, name: 'Ada Lovelace' },
        blocks: [{ type: 'text' }, { type: 'code' }],
      })
      expect(json.author).not.toHaveProperty('email')
      const accepting = (accept: string): Asked => ({ headers: { accept } })
      const outline = await ask(`GET ${posts}/note-g`, accepting('application/vnd.blog.outline+json'))
      expect(outline.json).toEqual({ slug: 'note-g', title: 'Note G' })
      expect(outline.headers['vary']).toBe('X-Api-Version, Origin, Accept')
      expect(await status(`GET ${posts}/note-g`, accepting('text/html'))).toBe(406)
      expect(await status(`GET ${posts}/note-g`, { headers: { 'if-none-match': headers['etag'] as string } })).toBe(304)
      expect(await status(`GET ${posts}/untitled`)).toBe(404)
    })

    it('takes a new one, and tells every mistake of a wrong one', async () => {
      const body = { title: 'Hello', slug: 'hello', blocks: [{ type: 'text', text: 'Hello.' }] }
      const { headers } = await ask(`POST ${posts}`, { headers: ada, body })
      expect(headers['location']).toBe('/api/v1.0/blogs/1/posts/hello')
      expect(await status(`POST ${posts}`, { headers: ada, body })).toBe(409)
      expect(await status(`POST ${posts}`, { headers: grace, body })).toBe(403)
      const later = { headers: { ...ada, 'x-publish-delay': '60' }, body: { ...body, slug: 'later' } }
      expect(await status(`POST ${posts}`, later)).toBe(201)
      expect(await status(`GET ${posts}/later`)).toBe(404)
      const wrong = { title: 'Hello', slug: 'Hello!', blocks: [{ type: 'video' }, { type: 'image', url: 'moth' }] }
      const { json } = await ask(`POST ${posts}`, { headers: { ...ada, 'x-publish-delay': '-1' }, body: wrong })
      expect(json.errors.map((one: { pointer: string }) => one.pointer)).toEqual([
        '/X-Publish-Delay',
        '/slug',
        '/blocks/0/type',
        '/blocks/1/url',
        '/blocks/1/alt',
      ])
    })

    it('takes a text as the whole body', async () => {
      const text = (type: string): Asked => ({ headers: { ...ada, 'content-type': type }, body: 'One.\n\nTwo.' })
      const { json } = await ask(`PUT ${posts}/note-g/text`, text('text/markdown'))
      expect(json.blocks).toEqual([
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ])
      expect(await status(`PUT ${posts}/note-g/text`, text('text/html'))).toBe(415)
    })

    it('takes a picture in a multipart form and gives it back', async () => {
      const image = new File([pixel], 'pixel.png', { type: 'image/png' })
      expect(await status(`GET ${posts}/note-g/cover`)).toBe(404)
      expect(await status(`PUT ${posts}/note-g/cover`, await form({ image, alt: 'A pixel' }))).toBe(204)
      const { headers, text } = await ask(`GET ${posts}/note-g/cover`)
      expect([headers['content-type'], text]).toEqual(['image/png', new TextDecoder().decode(pixel)])
      const gif = new File([pixel], 'pixel.gif', { type: 'image/gif' })
      const { json } = await ask(`PUT ${posts}/note-g/cover`, await form({ image: gif }))
      expect(json.errors.map((one: { pointer: string }) => one.pointer)).toEqual(['/image', '/alt'])
    })

    it('moves one to the blog at an address', async () => {
      const to = (blog: string): Asked => ({ headers: ada, body: { blog } })
      expect(await status(`POST ${posts}/note-g/move`, to('/blogs/two'))).toBe(422)
      expect(await status(`POST ${posts}/note-g/move`, to('/blogs/2'))).toBe(403)
      const { status: moved, headers } = await ask(`POST ${posts}/note-g/move`, to('/blogs/3'))
      expect([moved, headers['location']]).toEqual([303, '/api/v1.0/blogs/3/posts/note-g'])
      expect((await ask('GET /v1.0/blogs/3/posts/note-g/comments')).json).toHaveLength(1)
      expect(await status('POST /v1.0/blogs/3/posts/note-g/move', to('/b/1'))).toBe(303)
    })
  })

  describe('Comments', () => {
    const comments = '/v1.0/blogs/1/posts/note-g/comments'
    const answer = '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c02'

    it('shows them with their replies', async () => {
      expect((await ask(`GET ${comments}`)).json).toMatchObject([{ author_name: 'Charles', replies: [{ id: answer }] }])
      expect((await ask(`GET ${comments}/${answer}`)).json).toMatchObject({ author_name: 'Ada' })
      expect(await status(`GET ${comments}/first`)).toBe(400)
      expect(await status('GET /v1.0/blogs/1/posts/untitled/comments')).toBe(404)
    })

    it('takes a reply, at most three a minute, and only where comments are welcome', async () => {
      const body = { author_name: 'Mary', text: 'Which one?', reply_to: answer }
      const { headers } = await ask(`POST ${comments}`, { body })
      expect((await ask(`GET ${headers['location']?.replace('/api', '')}`)).json).toMatchObject({ text: 'Which one?' })
      expect((await ask(`GET ${comments}/${answer}`)).json.replies).toHaveLength(1)
      expect(await status(`POST ${comments}`, { body })).toBe(201)
      expect(await status(`POST ${comments}`, { body })).toBe(201)
      expect(await status(`POST ${comments}`, { body })).toBe(429)
      expect(await status('POST /v1.0/blogs/2/posts/the-first-bug/comments', { body })).toBe(423)
    })

    it('takes whole conversations, checked to the last reply', async () => {
      const reply = { id: answer, author_name: 'Ada', text: 'Yes.', written_at: '2024-01-01T00:00:00Z' }
      const body = [{ ...reply, replies: [{ ...reply, id: crypto.randomUUID(), text: 'No.' }] }]
      expect(await status(`PUT ${comments}`, { headers: grace, body })).toBe(403)
      expect(await status(`PUT ${comments}`, { headers: ada, body })).toBe(204)
      expect((await ask(`GET ${comments}`)).json).toMatchObject([{ text: 'Yes.', replies: [{ text: 'No.' }] }])
      const twice = [{ ...reply, replies: [reply] }]
      expect(await status(`PUT ${comments}`, { headers: ada, body: twice })).toBe(409)
      expect((await ask(`GET ${comments}`)).json).toHaveLength(1)
      const { json } = await ask(`PUT ${comments}`, {
        headers: ada,
        body: [{ ...reply, replies: [{ ...reply, id: 7 }] }],
      })
      expect(json.errors).toMatchObject([{ pointer: '/0/replies/0/id' }])
    })
  })

  it('Subscriptions take JSON and forms', async () => {
    const path = '/v1.0/blogs/1/subscriptions'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await status(`POST ${path}`, { headers, body: 'email=mary%40example.com' })).toBe(202)
    expect(await status(`POST ${path}`, { body: { email: 'mary@example.com' } })).toBe(409)
    expect(await status(`POST ${path}`, { body: { email: 'mary' } })).toBe(400)
    const body = { email: 'mary@example.com', reason: 'Too much mail.' }
    expect(await status(`POST ${path}/cancel`, { body })).toBe(204)
    expect(await status(`POST ${path}/cancel`, { body })).toBe(404)
    expect(await status('POST /v1.0/blogs/99/subscriptions', { body: { email: 'mary@example.com' } })).toBe(404)
  })

  it('People show who they are', async () => {
    expect((await ask('GET /authors/1')).json).toMatchObject({ name: 'Ada Lovelace', joined_on: '2023-12-10' })
    expect(await status('GET /authors/9')).toBe(404)
    expect((await ask('GET /authors/me', { headers: grace })).json).toMatchObject({ id: 2 })
    expect(await status('GET /authors/me')).toBe(401)
  })

  it('Clients have a scheme, tags, limits, keys and origins, and the documents say so', async () => {
    const { headers } = await ask('GET /authors/2')
    expect(await status('GET /authors/2', { headers: { 'if-none-match': headers['etag'] as string } })).toBe(304)
    const subscribe = { headers: { 'idempotency-key': 'k' }, body: { email: 'again@example.com' } }
    const path = 'POST /v1.0/blogs/1/subscriptions'
    expect((await ask(path, subscribe)).headers['ratelimit-policy']).toBe('"default";q=300;w=60')
    expect(await ask(path, subscribe)).toMatchObject({
      status: 202,
      headers: { 'ratelimit-policy': '"default";q=300;w=60' },
    })
    const origin = 'http://localhost:5173'
    const missed = await ask('GET /nothing', { headers: { origin } })
    expect([missed.status, missed.headers['access-control-allow-origin']]).toEqual([404, origin])
    const [plain, versioned] = [app.openapi() as any, app.openapi('1.0') as any]
    expect(plain.components.securitySchemes).toMatchObject({ Token: { type: 'http', scheme: 'bearer' } })
    expect(plain.paths['/authors/me'].get.security).toEqual([{ Token: [] }])
    const operation = Object.entries<any>(versioned.paths).find(([one]) => one.endsWith('/subscriptions'))?.[1].post
    expect(operation).toMatchObject({ 'x-rate-limit': { limit: 300 }, 'x-idempotency': {} })
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['409', '422', '429', '503']))
  })

  it('People change what they send, null included', async () => {
    const change = async (body: unknown): Promise<unknown> =>
      (await ask('PATCH /authors/me', { headers: ada, body })).json.bio
    expect(await change({ website: 'https://example.com/countess' })).toMatch(/^Writes programs/)
    expect(await change({ bio: null })).toBeNull()
    expect(await status('PATCH /authors/me', { headers: ada, body: { website: 'nowhere' } })).toBe(400)
  })

  it('Avatars are bytes in both directions', async () => {
    const png = { ...grace, 'content-type': 'image/png' }
    expect(await status('GET /authors/2/avatar')).toBe(404)
    expect(await status('PUT /authors/2/avatar', { headers: png, body: pixel })).toBe(204)
    const { headers, text } = await ask('GET /authors/2/avatar')
    expect([headers['content-type'], text]).toEqual(['image/png', new TextDecoder().decode(pixel)])
    expect(await status('PUT /authors/1/avatar', { headers: png, body: pixel })).toBe(403)
    expect(await status('PUT /authors/2/avatar', { headers: png, body: new Uint8Array(70_000) })).toBe(413)
  })

  it('Feeds are XML under two addresses', async () => {
    const { headers, text } = await ask('GET /feeds/2.atom?reader=any')
    expect(headers).toMatchObject({ 'content-type': 'application/atom+xml', 'cache-control': 'max-age=600' })
    expect(text).toContain('<title>The first bug</title>')
    expect((await ask('GET /atom/2')).text).toBe(text)
    expect(await status('GET /feeds/99.atom')).toBe(404)
  })

  it('Assets are files of any depth, except private ones', async () => {
    const { headers, text } = await ask('GET /assets/themes/night/code.css')
    expect([headers['content-type'], text]).toEqual([
      'text/css; charset=utf-8',
      'pre { background: #111; color: #eee }\n',
    ])
    expect((await ask('GET /assets/logo.svg')).headers['content-type']).toBe('image/svg+xml')
    expect((await ask('GET /assets/none.css')).json.detail).toBe('There is no file none.css.')
    expect((await ask('GET /assets/private/plans.css')).json.detail).toBe('No route of this API has this path.')
  })

  it('Stats depend on the version', async () => {
    expect((await ask('GET /v1.0/stats')).text).toBe('blogs,posts,page_views\n12,60,9007199254860993\n')
    expect((await ask('GET /stats', { headers: { 'x-api-version': '2.0' } })).json).toMatchObject({
      posts: 60,
      tags: { machines: 2, stars: 3 },
    })
    expect((await ask('GET /stats?api_version=3.0')).json.versions).toEqual(['1.0', '2.0'])
  })

  it('tells whether it is alive and ready, to HEAD as well', async () => {
    await app.start()
    for (const question of ['live', 'ready']) {
      expect((await ask(`GET /health/${question}`)).json).toEqual({ status: 'ok' })
      expect(await status(`HEAD /health/${question}`)).toBe(200)
      expect(await status(`POST /health/${question}`)).toBe(405)
    }
  })

  it('Legacy answers every verb', async () => {
    expect((await ask('PURGE /wordpress/wp-login.php?x=1')).json.detail).toBe('PURGE wp-login.php is not coming back.')
    expect(await status('GET /wordpress')).toBe(404)
  })
}

describe('a file that is kept', () => {
  it('has what it had', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edict-blog-'))
    for (const status of [202, 409]) {
      const database = openDatabase(`file:${join(folder, 'blog.db')}`)
      await database.prepare()
      const body = { email: 'mary@example.com' }
      const answer = await askFetch(blogApi(database), 'POST /api/v1.0/blogs/1/subscriptions', { body })
      expect(answer.status).toBe(status)
      await database.close()
    }
    rmSync(folder, { recursive: true })
  })
})

interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly output: string
}

/** Runs `npm start` until it has printed its address. */
function start(databaseUrl: string): Promise<Started> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [command, ...args] = scripts.start.split(' ')
  expect(command).toBe('node')
  const env = { ...process.env, PORT: '0', DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const url = /http:\/\/localhost:\d+/.exec(output)?.[0]
      if (url !== undefined && output.split('curl').length > 2) resolve({ child, url, output })
    })
    child.on('exit', () => reject(new Error(`the server ended:\n${output}`)))
  })
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    child.on('exit', resolve)
    child.kill('SIGTERM')
  })

describe('npm start with DATABASE_URL', () =>
  postgres.describe((engine) => {
    it('keeps what it has', { timeout: 60_000 }, async () => {
      const place = await engine.createDatabase()
      for (const expected of [202, 409]) {
        const { child, url } = await start(place.url)
        const body = new URLSearchParams({ email: 'mary@example.com' })
        const { status } = await fetch(`${url}/api/v1.0/blogs/1/subscriptions`, { method: 'POST', body })
        expect([status, await ended(child)]).toEqual([expected, 0])
      }
      await place.close()
    })
  }))

describe('npm start', () => {
  let started: Started

  beforeAll(async () => {
    started = await start('')
  }, 60_000)

  afterAll(() => {
    started.child.kill('SIGKILL')
  })

  it('prints its address and two lines to try', () => {
    const { url, output } = started
    expect(output).toContain(`The blog API is at ${url}/api, its documentation at ${url}/api/docs.`)
    expect(output.match(/^ {2}curl .*http:\/\/localhost:\d+\/api\/.*$/gm)).toHaveLength(2)
  })

  const [, ...transcripts] = readFileSync('examples/blog/README.md', 'utf8').split('```console\n')
  const steps = transcripts.flatMap((one) => (one.split('```')[0] as string).split(/^\$ curl /m).slice(1))

  it.each(steps.map((step) => step.split('\n', 1)))('README: curl %s', async (command) => {
    const step = steps.find((one) => one.startsWith(`${command}\n`)) as string
    const { target, init, showsHead } = curl(command)
    const answer = await fetch(target.replace('http://localhost:3000', started.url), { redirect: 'manual', ...init })
    const body = await answer.text()
    const expected = step.slice(command.length + 1)
    const [head, shown] = showsHead ? split(expected) : ['', expected]
    for (const [index, line] of head.split('\n').filter(Boolean).entries()) {
      if (index === 0) expect(`HTTP/1.1 ${answer.status} ${answer.statusText}`).toBe(line)
      else expect(`${line.split(': ', 1)[0]}: ${answer.headers.get(line.split(': ', 1)[0] as string)}`).toBe(line)
    }
    expect(readable(body)).toEqual(readable(shown))
  })

  it('ends in good order when it is told to', async () => {
    expect(await ended(started.child)).toBe(0)
  })
})

function split(text: string): [string, string] {
  const at = text.indexOf('\n\n')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 2)]
}

// JSON is compared by what it says, everything else by its text.
function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim()
  }
}

/** The few options of curl that the README uses. */
function curl(command: string): { target: string; init: RequestInit; showsHead: boolean } {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const headers = new Headers()
  let [method, body, target, showsHead]: [string | undefined, string | undefined, string, boolean] = [
    undefined,
    undefined,
    '',
    false,
  ]
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const next = (): string => words[++i] as string
    if (word === '-i') showsHead = true
    else if (word === '-X') method = next()
    else if (word === '-H') headers.set(...(next().split(': ') as [string, string]))
    else if (word === '-d' || word === '--json') {
      body = next()
      const type = word === '-d' ? 'application/x-www-form-urlencoded' : 'application/json'
      if (!headers.has('content-type')) headers.set('content-type', type)
    } else if (!word.startsWith('-')) target = word
  }
  method ??= body === undefined ? 'GET' : 'POST'
  return { target, init: { method, headers, ...(body !== undefined && { body }) }, showsHead }
}
