// The client and what it meets in the field: servers that keep to the contract loosely, proxies and servers of front ends that
// answer in their place, mocks, and runtimes that lack something. Its results have the declared types, or it throws.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { CallError, type ClientOptions, client, ResponseError, StatusError } from 'edict/client'
import { PaginationParams } from 'edict/pagination'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'

const Note = mediaType('Note', { attributes: { id: t.integer({ required: true }), at: t.dateTime() } })
const id = { id: t.integer() }
const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Note) },
      responses: { ok: collectionOf(Note) },
    },
    show: { routing: route.get('/:id'), params: id, responses: { ok: Note, notFound: true, gone: Note } },
    create: { routing: route.post('/'), responses: { created: Note } },
    remove: { routing: route.delete('/:id'), params: id, responses: { noContent: true } },
    text: { routing: route.get('/text'), responses: { ok: 'text/plain' } },
    any: { routing: route.get('/any'), responses: { ok: 'application/json' } },
    file: { routing: route.get('/file'), responses: { ok: 'application/octet-stream' } },
    lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Note, { as: 'ndjson' }) } },
  },
})
const NOTE = 'application/vnd.note+json'
const DATE = '2024-02-29T10:00:00Z'

/** A client whose server gives this answer to everything. */
function answering(body: BodyInit | null, type?: string, status = 200, more: Partial<ClientOptions> = {}) {
  const fetch = async (): Promise<Response> => {
    const response = new Response(body, { status })
    if (type === undefined) response.headers.delete('Content-Type')
    else response.headers.set('Content-Type', type)
    return response
  }
  return client({ Notes }, { baseUrl: 'http://a.test', attempts: 1, fetch, ...(more as object) }).Notes
}

afterEach(() => vi.unstubAllGlobals())

describe('[CLT-05] a body of another content type than the declared one', () => {
  it.each([
    'application/json',
    'Application/JSON ; charset="utf-8"',
    'application/hal+json',
    'application/VND.note+json;charset=UTF-8',
    undefined,
  ])('is read as declared where it is of the same kind: %s', async (type) => {
    const note = { id: 1, at: new Date(DATE) }
    expect(await answering(`{"id":1,"at":"${DATE}","more":1}`, type).show.ok({ id: 1 })).toEqual(note)
    expect(await answering(`[{"id":1,"at":"${DATE}"}]`, type).index.ok()).toEqual([note])
  })

  it('is text or bytes where those are declared, an empty one too', async () => {
    const text = await answering('a', 'text/markdown').text.ok()
    expectTypeOf(text).toEqualTypeOf<string>()
    expect(text).toBe('a')
    expect(await answering('a', undefined).text.ok()).toBe('a')
    expect(Object.keys(await answering('a', 'text/plain').text())).toEqual(['name', 'status', 'headers', 'body'])
    const bytes = await answering('a', 'image/png').file.ok()
    expectTypeOf(bytes).toEqualTypeOf<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>()
    expect(bytes).toEqual(new Uint8Array([97]))
    expect(await answering('', 'application/octet-stream').file.ok()).toEqual(new Uint8Array())
    expect(await answering(null, 'application/octet-stream').file.ok({}, { stream: true })).toEqual(new Uint8Array())
  })

  it.each(['show', 'index', 'text', 'file', 'any', 'lines'] as const)(
    'is refused with what came and what to look at, where it is a page instead of %s',
    async (name) => {
      const calls = answering('<!doctype html>', 'text/html; charset=utf-8')
      const call = calls[name] as (params: object) => Promise<unknown>
      const error = await call({ id: 1 }).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(ResponseError)
      expect(String(error)).toMatch(
        /^ResponseError: Notes\.\w+ responded with text\/html in place of \w+\/\S+; does baseUrl lead to the API\?$/,
      )
    },
  )

  it('is refused where JSON stands for text, and text for JSON', async () => {
    await expect(answering('{}', 'application/json').text()).rejects.toThrow(ResponseError)
    await expect(answering('{"id":1}', 'text/plain').show({ id: 1 })).rejects.toThrow(ResponseError)
  })
})

describe('[CLT-05] a body that cannot be read', () => {
  it.each([
    ['nothing', null],
    ['no text', ''],
    ['a part of it', '{"id":'],
    ['a guard against scripts', ')]}\'\n{"id":1}'],
  ])('is an ResponseError: %s', async (_, body) => {
    for (const type of [NOTE, 'application/json', undefined]) {
      const said = 'responded with an undeclared body: it is not JSON'
      const error = await answering(body, type)
        .show({ id: 1 })
        .catch((error: unknown) => error)
      expect(String(error)).toBe(`ResponseError: Notes.show ${said}`)
      await expect(answering(body, type).any()).rejects.toThrow(ResponseError)
    }
  })

  it('is an ResponseError in the middle of a list that comes line by line', async () => {
    const lines = await answering('{"id":1}\n<html>\n', 'application/x-ndjson').lines.ok()
    const seen: number[] = []
    const reading = (async () => {
      for await (const { id } of lines) seen.push(id)
    })()
    await expect(reading).rejects.toThrow(ResponseError)
    expect(seen).toEqual([1])
  })

  it('is the error of the transfer where that broke off', async () => {
    const broken = () =>
      new ReadableStream({
        pull: (stream) => stream.error(new TypeError('terminated')),
      })
    for (const status of [200, 500])
      await expect(answering(broken(), NOTE, status).show({ id: 1 })).rejects.toThrow(new TypeError('terminated'))
  })
})

describe('[CLT-05] a response that is not declared', () => {
  it.each([
    ['create', 200, NOTE, '{"id":1}'],
    ['create', 202, 'text/plain', 'later'],
    ['remove', 200, 'application/json', '{}'],
    ['show', 204, undefined, null],
  ] as const)('is a failure of %s with %i, and `ok` throws it', async (name, status, type, body) => {
    const calls = answering(body, type, status)
    const call = calls[name] as (typeof calls)['show']
    expect(await call({ id: 1 })).toMatchObject({ name: 'failure', status })
    const thrown = await call.ok({ id: 1 }).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(StatusError)
    expect(String(thrown)).toBe(`StatusError: Notes.${name} responded with ${status} that is not declared`)
  })

  it('ends a walk', async () => {
    await expect(answering('[{"id":1}]', NOTE, 206).index.all().next()).rejects.toThrow(StatusError)
  })

  it('has its body as far as it can be read', async () => {
    const bodies: unknown[] = []
    for (const [body, type] of [
      ['{"message":"x"}', 'application/json'],
      ['<h1>502', 'application/json'],
      ['<h1>502', 'text/html'],
      [null, undefined],
      ['', 'application/json'],
    ] as const)
      bodies.push((await answering(body, type, 502).show({ id: 1 })).body)
    expect(bodies).toEqual([{ message: 'x' }, '<h1>502', '<h1>502', undefined, undefined])
  })

  it.each([
    ['{"errors":{"Title":["The field is required."]},"title":"x","status":400}', undefined],
    ['{"type":"about:blank","title":"Too many","status":429,"detail":"Slow down."}', undefined],
    ['[1]', undefined],
    ['null', undefined],
    ['{"type":"about:blank","title":"x","status":400,"code":"own","more":1}', 'own'],
  ])('has a problem only where it is one of the declared form: %s', async (body, code) => {
    const answer = await answering(body, 'application/problem+json; charset=utf-8', 400).show({ id: 1 })
    if (answer.name !== 'failure') throw new Error(answer.name)
    expect([answer.problem?.code, answer.body]).toEqual([code, JSON.parse(body)])
  })

  it('says in its message what any problem document says', async () => {
    const call = answering('{"title":"x","detail":"Slow down."}', 'application/problem+json', 429).show.ok({ id: 1 })
    await expect(call).rejects.toThrow('Notes.show responded with 429 failure: Slow down.')
  })
})

describe('[CLT-03] a link to the next page', () => {
  it.each([
    ['</notes?page=2>; rel="next"'],
    ['<?page=2>;rel=next'],
    ['<http://a.test/notes?page=2>; title="a \\"b\\", c"; rel="next"'],
    ['</notes?page=2>; crossorigin; rel="next"'],
    ['</notes?page=1>; rel=prev, </notes?page=2>; title*=UTF-8\'\'x ; REL = "last NEXT"'],
    ['</notes?page=1>; title="</x>; rel=next"; rel="prev",</notes?page=2>;rel=next;rel=prev'],
  ])('is found in %s', async (link) => {
    expect(await followed(link)).toEqual(['/notes', '/notes?page=2'])
  })

  it.each([
    ['</notes?page=2>; title="; rel=next"; rel="prev"'],
    ['</notes?page=2>; rel=prev; rel=next'],
    ['</notes?page=2>; x-rel=next'],
    ['</notes?page=2>, rel=next'],
  ])('is not made up from %s', async (link) => {
    expect(await followed(link)).toEqual(['/notes'])
  })
})

async function followed(link: string): Promise<string[]> {
  const asked: string[] = []
  const fetch = async ({ url }: Request): Promise<Response> => {
    const isFirst = asked.push(url.slice('http://a.test'.length)) === 1
    return new Response(`[{"id":${asked.length}}]`, {
      headers: { 'Content-Type': NOTE, ...(isFirst && { Link: link }) },
    })
  }
  for await (const _ of client({ Notes }, { baseUrl: 'http://a.test', fetch }).Notes.index.all());
  return asked
}

describe('[CLT-05] baseUrl', () => {
  const asked = async (baseUrl: string): Promise<string> => {
    const urls: string[] = []
    const fetch = async ({ url }: Request): Promise<Response> => {
      urls.push(url)
      const link = urls.length === 1 ? { Link: '<?page=2>; rel=next' } : undefined
      return new Response('[{"id":1}]', { headers: { 'Content-Type': NOTE, ...link } })
    }
    const walk = client({ Notes }, { baseUrl, fetch }).Notes.index.all()
    for await (const _ of walk);
    return urls.join(' ')
  }

  it.each(['/api', '', 'localhost:3000', 'a.test/api', 'ftp://a.test', 'http://a.test/?a=1', 'http://a.test/#a'])(
    "is refused where it is '%s', before anything is sent",
    async (baseUrl) => {
      const said = `baseUrl must be a URL such as https://api.example, not '${baseUrl}'`
      await expect(asked(baseUrl)).rejects.toThrow(new CallError(said))
    },
  )

  it('is refused where a variable of the environment is missing, on a page too', async () => {
    await expect(asked(undefined as never)).rejects.toThrow("not 'undefined'")
    vi.stubGlobal('location', { href: 'http://page.test/a/b/' })
    await expect(asked(undefined as never)).rejects.toThrow(CallError)
  })

  it.each([
    ['/api', 'http://page.test/api/notes'],
    ['/api/', 'http://page.test/api/notes'],
    ['', 'http://page.test/a/b/notes'],
    ['https://api.test', 'https://api.test/notes'],
  ])('may be a path on a page: %s', async (baseUrl, url) => {
    vi.stubGlobal('location', { href: 'http://page.test/a/b/' })
    expect(await asked(baseUrl)).toBe(`${url} ${url}?page=2`)
  })
})

describe('[CLT-05] headers of the client', () => {
  it('that are undefined are not sent, and those that come later count', async () => {
    const seen: (string | null)[][] = []
    let token: string | undefined
    const calls = client(
      { Notes },
      {
        baseUrl: 'http://a.test',
        headers: async () => (token === undefined ? { 'X-Csrf': 'c' } : { Authorization: token }),
        fetch: async ({ headers }) => {
          seen.push([headers.get('Authorization'), headers.get('X-Csrf')])
          return new Response('[]', { headers: { 'Content-Type': NOTE } })
        },
      },
    ).Notes
    await calls.index()
    token = 'Bearer t'
    await calls.index()
    expect(seen).toEqual([
      [null, 'c'],
      ['Bearer t', null],
    ])
    const unset = client({ Notes }, { baseUrl: 'http://a.test', headers: { Authorization: undefined } })
    expect(unset).toBeTypeOf('object')
  })
})

describe('[CLT-05] a runtime that lacks something', () => {
  it('is enough without streams, joined signals and tests of URLs', async () => {
    vi.stubGlobal('ReadableStream', undefined)
    vi.stubGlobal('AbortSignal', { timeout: AbortSignal.timeout })
    vi.stubGlobal('URL', Object.assign(class extends URL {}, { canParse: undefined }))
    const headers = new Headers({ 'Content-Type': NOTE })
    const fetch = async () => ({ status: 200, headers, text: async () => '[{"id":1}]' }) as Response
    const calls = client({ Notes }, { baseUrl: 'http://a.test', fetch }).Notes
    expect(await calls.index.ok({}, { signal: new AbortController().signal })).toEqual([{ id: 1 }])
    expect(await calls.index.ok({}, { timeout: 1000 })).toEqual([{ id: 1 }])
    const seen: number[] = []
    for await (const { id } of calls.index.all()) seen.push(id)
    expect(seen).toEqual([1])
  })

  it('gives at once what would be a stream', async () => {
    const fetch = async ({ url }: Request) => {
      const type = url.endsWith('lines') ? 'application/x-ndjson' : 'application/octet-stream'
      const headers = new Headers({ 'Content-Type': type })
      const text = '{"id":1}\n{"id":2}\n'
      const bytes = new TextEncoder().encode(text)
      return { status: 200, headers, text: async () => text, arrayBuffer: async () => bytes.buffer } as Response
    }
    const calls = client({ Notes }, { baseUrl: 'http://a.test', fetch }).Notes
    const seen: number[] = []
    for await (const { id } of await calls.lines.ok()) seen.push(id)
    expect(seen).toEqual([1, 2])
    expect(await calls.file.ok({}, { stream: true })).toHaveLength(18)
  })
})
