// How calls are sent: again where that is safe, within their time, within their origin, through the functions around them.
import events from 'node:events'
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { type Around, client, etags, type Progress, progress, ResponseError, StatusError } from 'edict/client'
import { conditional, etag } from 'edict/conditional'
import { testClient } from 'edict/testing'
import { describe, expect, it, vi } from 'vitest'
import { urlOf } from '../support/ask.ts'

const Note = mediaType('Note', { attributes: { id: t.integer({ required: true }), text: t.string() } })
const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Note, notFound: true } },
    put: {
      routing: route.put('/:id'),
      params: { id: t.integer() },
      payload: { text: t.string({ required: true }) },
      responses: { noContent: true },
    },
    create: { routing: route.post('/'), payload: { text: t.string() }, responses: { created: true } },
    moved: { routing: route.get('/moved'), responses: { found: { location: /.+/ } } },
    load: { routing: route.put('/file'), payload: t.file({ stream: true }), responses: { ok: 'text/plain' } },
    file: { routing: route.get('/file'), responses: { ok: 'application/octet-stream' } },
    tagged: { routing: route.get('/tagged'), policies: [etag('body')], responses: { ok: Note } },
  },
})
let tagged = 1
const PIECE = 65_536
const app = application({
  plugins: [conditional()],
  controllers: [
    controller(Notes, {
      show: ({ id }, { reply }) => (id === 9 ? reply.notFound('There is no note 9.') : reply.ok({ id, text: 'a' })),
      put: (_, { reply }) => reply.noContent(),
      create: (_, { reply }) => reply.created(),
      moved: (_, { reply }) => reply.found(undefined, { location: 'http://elsewhere.example/' }),
      load: async (_, { request }) => {
        let size = 0
        if (request.payload !== undefined) for await (const piece of request.payload) size += piece.byteLength
        return String(size)
      },
      file: (_, { reply }) => reply.ok(pieces(40)),
      tagged: (_, { reply }) => reply.ok({ id: tagged }),
    }),
  ],
})

function pieces(count: number): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    pull(stream) {
      if (left-- === 0) stream.close()
      else stream.enqueue(new Uint8Array(PIECE))
    },
  })
}

type Event = Response | 'lost' | undefined

/** A client whose first requests meet these events in place of the server. */
function meeting(events: Event[], options: object = {}) {
  const requests: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.clone())
    const event = events.shift()
    if (event === 'lost') throw new TypeError('fetch failed')
    return event ?? app.fetch(request)
  }
  return { api: client({ Notes }, { baseUrl: 'http://api.example', fetch, ...options }).Notes, requests }
}

const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: code, headers })
const text = { payload: { text: 'x' } }

describe('a call that is safe to repeat', () => {
  it('[CLT-05] is sent again when no response came, or only that of a proxy', async () => {
    const { api, requests } = meeting(['lost', status(502)])
    expect((await api.show({ id: 1 })).name).toBe('ok')
    const put = meeting([status(504), 'lost'])
    expect((await put.api.put({ id: 1 }, text)).name).toBe('noContent')
    expect([requests.length, put.requests.length]).toEqual([3, 3])
    expect(await Promise.all(put.requests.map((one) => one.text()))).toEqual(Array(3).fill('{"text":"x"}'))
  })

  it('[CLT-05] waits as the server says, in seconds or until a moment, but no longer than a minute', async () => {
    const past = new Date(Date.now() - 1000).toUTCString()
    const { api, requests } = meeting([status(503, { 'Retry-After': '0' }), status(429, { 'Retry-After': past })])
    expect((await api.show({ id: 1 })).name).toBe('ok')
    expect(requests.length).toBe(3)
    const far = new Date(Date.now() + 3_600_000).toUTCString()
    for (const answer of [status(503), status(503, { 'Retry-After': '3600' }), status(429, { 'Retry-After': far })]) {
      const one = meeting([answer])
      expect((await one.api.show({ id: 1 })).status).toBe(answer.status)
      expect(one.requests.length).toBe(1)
    }
  })

  it('[CLT-05] is sent as often as the client, or the call, says', async () => {
    const lost = (): Event[] => Array(9).fill('lost')
    for (const [options, given, count] of [
      [{}, {}, 3],
      [{ attempts: 2 }, {}, 2],
      [{ attempts: 2 }, { attempts: 1 }, 1],
    ] as const) {
      const { api, requests } = meeting(lost(), options)
      await expect(api.show({ id: 1 }, given)).rejects.toThrow('fetch failed')
      expect(requests.length).toBe(count)
    }
  })

  it('[CLT-05] is none that would be done twice, nor one whose body is a stream', async () => {
    const { api, requests } = meeting(['lost', 'lost'])
    await expect(api.create({}, text)).rejects.toThrow('fetch failed')
    await expect(api.load({}, { payload: pieces(1) })).rejects.toThrow('fetch failed')
    expect(requests.length).toBe(2)
  })
})

describe('the time of a call', () => {
  const hanging = () => new Promise<Response>(() => {})

  it('[CLT-05] ends it, whether or not something listens to its signal', async () => {
    const { api } = meeting([], { fetch: hanging, timeout: 5 })
    await expect(api.show({ id: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
    const { api: patient } = meeting([], { fetch: hanging })
    await expect(patient.create({}, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(patient.show.ok({ id: 1 }, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('[CLT-05] includes the waiting before it is sent again, and the reading of the response', async () => {
    const { api, requests } = meeting([status(503, { 'Retry-After': '30' })])
    await expect(api.show({ id: 1 }, { timeout: 20 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(requests.length).toBe(1)
    const endless = new Response(new ReadableStream(), { headers: { 'Content-Type': 'application/vnd.note+json' } })
    await expect(meeting([endless]).api.show({ id: 1 }, { timeout: 20 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('[CLT-05] may be that of one signal for many calls, without a listener of each', async () => {
    const { signal } = new AbortController()
    const listeners: number[] = []
    const counted = () => events.getEventListeners(signal, 'abort').length
    const { api } = meeting([], {
      fetch: async (request: Request) => {
        listeners.push(counted())
        return app.fetch(request)
      },
    })
    await Promise.all(Array.from({ length: 40 }, () => api.show({ id: 1 }, { signal })))
    expect([listeners.length, Math.max(...listeners), counted()]).toEqual([40, 0, 0])
  })

  it('[CLT-05] is over when its signal says so', async () => {
    const stop = new AbortController()
    const { api } = meeting([], { fetch: hanging })
    const call = api.show({ id: 1 }, { signal: stop.signal, timeout: 60_000 })
    stop.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})

describe('functions around requests', () => {
  it('[CLT-05] see every request in their order, change it, and see its response', async () => {
    const said: string[] = []
    const logging =
      (name: string): Around =>
      async ({ endpoint, action, request, attempt }, send) => {
        request.headers.set('X-Seen', `${request.headers.get('X-Seen') ?? ''}${name}`)
        const answer = await send(request)
        said.push(`${name} ${endpoint}.${action} ${attempt} ${answer.status}`)
        return answer
      }
    const { api, requests } = meeting([status(502)], { around: [logging('a'), logging('b')] })
    await api.show({ id: 9 }, { around: logging('c') })
    expect(requests.map(({ headers }) => headers.get('X-Seen'))).toEqual(['abc', 'abc'])
    expect(said).toEqual([
      ...['c', 'b', 'a'].map((name) => `${name} Notes.show 1 502`),
      ...['c', 'b', 'a'].map((name) => `${name} Notes.show 2 404`),
    ])
  })

  it('[CLT-05] may send a request again, or answer it themselves', async () => {
    let token = 'old'
    const renewing: Around = async ({ request }, send) => {
      const again = request.clone()
      const answer = await send(request)
      if (answer.status !== 401) return answer
      token = 'new'
      again.headers.set('Authorization', token)
      return send(again)
    }
    const { api, requests } = meeting([status(401)], { around: renewing, headers: () => ({ Authorization: token }) })
    expect((await api.put({ id: 1 }, text)).name).toBe('noContent')
    expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual(['old', 'new'])
    const own = meeting([], {
      around: async () => Response.json({ id: 7 }, { headers: { 'Content-Type': 'application/vnd.note+json' } }),
    })
    expect([(await own.api.show({ id: 1 })).body, own.requests.length]).toEqual([{ id: 7 }, 0])
  })
})

describe('a call that throws', () => {
  it('[CLT-05] gives the body of a success, and throws any other answer, over a socket and in process', async () => {
    for (const { Notes: api } of [testClient(app, { Notes }), client({ Notes }, { baseUrl: await urlOf(app) })]) {
      expect(await api.show.ok({ id: 3 })).toEqual({ id: 3, text: 'a' })
      expect(await api.put.ok({ id: 3 }, text)).toBe(undefined)
      const thrown = await api.show.ok({ id: 9 }).catch((error: unknown) => error)
      if (!api.show.threw(thrown)) throw thrown
      expect(thrown).toBeInstanceOf(StatusError)
      expect([thrown.message, thrown.response.name]).toEqual([
        'Notes.show responded with 404 notFound: There is no note 9.',
        'notFound',
      ])
      expect([api.put.threw(thrown), api.show.threw(new Error('x'))]).toEqual([false, false])
      const refused = await api.show.ok({ id: 'x' as never }).catch((error: unknown) => error)
      expect(api.show.threw(refused) && refused.response.name).toBe('failure')
    }
  })
})

describe('credentials', () => {
  const secret = { headers: { Authorization: 'Bearer secret', 'X-Api-Key': 'secret' } }
  const to = (location: string, code = 302): Response => status(code, { Location: location })

  it.each([
    'http://evil.example/notes/1',
    '//evil.example/',
    'https://api.example/notes/1',
    'http://api.example:8080/notes/1',
    'http://me:word@api.example/notes/1',
    'data:application/json,{}',
  ])('[CLT-03] do not go along with a redirection to %s', async (location) => {
    for (const code of [301, 302, 303, 307, 308]) {
      const { api, requests } = meeting([to(location, code)], secret)
      await expect(api.show({ id: 1 })).rejects.toThrow(ResponseError)
      expect(requests.map(({ url }) => url)).toEqual(['http://api.example/notes/1'])
    }
  })

  it('[CLT-03] go along within the origin, and circles end', async () => {
    const { api, requests } = meeting([to('/notes/2'), to('../notes/3')], secret)
    expect((await api.show({ id: 1 })).name).toBe('ok')
    expect(requests.map(({ headers }) => headers.get('X-Api-Key'))).toEqual(Array(3).fill('secret'))
    const circle = meeting(Array.from({ length: 99 }, () => to('/notes/1')))
    await expect(circle.api.show({ id: 1 })).rejects.toThrow('is redirected too often')
    expect(circle.requests.length).toBeLessThan(30)
  })

  it('[CLT-03] go along with a body where the status keeps it, and without one where it does not', async () => {
    const kept = meeting([to('/notes/2', 307)])
    expect((await kept.api.put({ id: 1 }, text)).name).toBe('noContent')
    expect(await kept.requests[1]?.text()).toBe('{"text":"x"}')
    const seen = meeting([to('/notes/2', 303)])
    await seen.api.put({ id: 1 }, text)
    expect([seen.requests[1]?.method, await seen.requests[1]?.text()]).toEqual(['GET', ''])
  })

  it('[CLT-03] are not sent to where a declared redirection leads: it is a response', async () => {
    for (const { Notes: api } of [testClient(app, { Notes }), client({ Notes }, { baseUrl: await urlOf(app) })]) {
      const answer = await api.moved()
      expect([answer.name, answer.headers.get('Location')]).toEqual(['found', 'http://elsewhere.example/'])
    }
  })

  it('[CLT-03] are those of the browser only where the client says so', async () => {
    const { api, requests } = meeting([], { credentials: 'include' })
    await api.show({ id: 1 })
    expect(requests[0]?.credentials).toBe('include')
  })
})

describe('conditional reads', () => {
  it('send the tag of what is known, and give it when nothing has changed', async () => {
    const { api, requests } = meeting([], { around: etags() })
    const bodies: unknown[] = []
    for (const id of [1, 1, 2, 2]) {
      tagged = id
      const answer = await api.tagged()
      bodies.push([answer.name, answer.status, answer.body])
    }
    expect(bodies).toEqual([1, 1, 2, 2].map((id) => ['ok', 200, { id }]))
    expect(requests.map(({ headers }) => headers.has('If-None-Match'))).toEqual([false, true, true, true])
  })

  it('are of one client only, and leave alone what is not to be kept', async () => {
    const store = new Map()
    const ask = (name: string, ...events: Event[]) => {
      const { api, requests } = meeting(events, { around: etags(store), headers: { Authorization: name } })
      return api.tagged().then(() => requests[0]?.headers.has('If-None-Match'))
    }
    expect([await ask('a'), await ask('b'), await ask('b'), await ask('a')]).toEqual([false, false, true, false])
    store.clear()
    const json = { 'Content-Type': 'application/vnd.note+json', ETag: '"x"' }
    await ask('a', Response.json({ id: 1 }, { headers: { ...json, 'Cache-Control': 'private, no-store' } }))
    await ask('a', Response.json({ id: 1 }, { headers: { ...json, Vary: '*' } }))
    expect(store.size).toBe(0)
  })

  it('keep no body that a call takes as it comes', async () => {
    const store = new Map()
    const ask = (type: string, stream: boolean) => {
      const headers = { 'Content-Type': type, ETag: '"x"' }
      const { api } = meeting([new Response(pieces(2), { headers })], { around: etags(store) })
      return api.file.ok({}, { stream })
    }
    expect(await ask('application/octet-stream', true)).toBeInstanceOf(ReadableStream)
    expect(store.size).toBe(0)
    expect(await ask('application/octet-stream', false)).toHaveLength(2 * PIECE)
    expect(store.size).toBe(1)
  })

  it('keep the responses that were asked for last, as far as they fit into 16 MB', async () => {
    const around = etags()
    const ask = async (name: string, bytes: number): Promise<boolean> => {
      const request = new Request(`https://api.example/${name}`)
      const answer = new Response(new Uint8Array(bytes), { headers: { ETag: '"x"' } })
      await around({ endpoint: 'Notes', action: 'file', attempt: 1, request }, async () => answer)
      return request.headers.has('If-None-Match')
    }
    const MEGABYTE = 2 ** 20
    for (const name of ['a', 'b', 'c']) expect(await ask(name, 5 * MEGABYTE)).toBe(false)
    expect(await ask('a', 5 * MEGABYTE)).toBe(true)
    expect(await ask('d', 5 * MEGABYTE)).toBe(false)
    expect([await ask('a', 5 * MEGABYTE), await ask('c', 5 * MEGABYTE), await ask('b', 5 * MEGABYTE)]).toEqual([
      true,
      true,
      false,
    ])
    expect([await ask('large', 17 * MEGABYTE), await ask('large', 17 * MEGABYTE)]).toEqual([false, false])
    expect(await ask('b', 5 * MEGABYTE)).toBe(true)
  })
})

describe('large bodies', () => {
  it('come and go as streams, with progress, over a socket', async () => {
    const seen: Progress[] = []
    const api = client({ Notes }, { baseUrl: await urlOf(app), around: progress((one) => seen.push(one)) }).Notes
    expect(await api.load.ok({}, { payload: pieces(10) })).toBe(String(10 * PIECE))
    expect(seen.filter(({ direction }) => direction === 'upload').at(-1)?.bytes).toBe(10 * PIECE)
    seen.length = 0
    const body = await api.file.ok({}, { stream: true })
    expect(body).toBeInstanceOf(ReadableStream)
    let size = 0
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) size += piece.byteLength
    expect([size, seen.at(-1)?.bytes, seen.at(-1)?.direction]).toEqual([40 * PIECE, 40 * PIECE, 'download'])
  })

  it('are sent as they are, and without reports, by a browser that sends no streams', async () => {
    const seen: Progress[] = []
    const counting = progress((one) => seen.push(one))
    const sent = new Request('https://api.example', { method: 'PUT', body: 'abc' })
    const ask = async (request: Request): Promise<string> => {
      const answer = await counting({ endpoint: 'Notes', action: 'load', attempt: 1, request }, async (one) => {
        expect(one).toBe(request)
        return new Response(`got ${await one.text()}`)
      })
      return answer.text()
    }
    // Firefox: a request has no body to look at.
    expect(await ask(Object.defineProperty(sent.clone(), 'body', { value: undefined }))).toBe('got abc')
    // Safari: a request takes a stream, and nobody asks how it is to be sent.
    const Own = Request
    vi.stubGlobal('XMLHttpRequest', class {})
    // Any browser: without TLS there is no HTTP/2.
    expect(await ask(new Request('http://api.example', { method: 'PUT', body: 'abc' }))).toBe('got abc')
    vi.stubGlobal(
      'Request',
      class extends Own {
        constructor(input: RequestInfo, init: RequestInit = {}) {
          super(input, 'body' in init ? { method: 'POST' } : init)
        }
      },
    )
    expect(await ask(sent)).toBe('got abc')
    vi.unstubAllGlobals()
    expect(seen.map(({ direction }) => direction)).toEqual(['download', 'download', 'download'])
  })

  it('are not read further than somebody asks', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(stream) {
        pulled += 1
        stream.enqueue(new Uint8Array(PIECE))
      },
    })
    const { api } = meeting([new Response(endless, { headers: { 'Content-Type': 'application/octet-stream' } })])
    const reader = ((await api.file.ok({}, { stream: true })) as ReadableStream<Uint8Array>).getReader()
    for (let i = 0; i < 5; i++) await reader.read()
    await reader.cancel()
    expect(pulled).toBeLessThan(9)
  })
})
