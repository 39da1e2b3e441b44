// Faults of the shop, one at a time: in its functions, as programmers make them, and between it and its clients.
import type { Application } from 'edict'
import { type Change, shop } from './shop.ts'

type Json = Record<string, any>
type Next = (request: Request) => Promise<Response>
type Between = (request: Request, next: Next) => Promise<Response>

/** A shop with a fault, and the laws of which one must find it. */
export interface Planted {
  readonly make: () => Application
  readonly laws: readonly string[]
}

const within = (change: Change, ...laws: readonly string[]): Planted => ({ make: () => shop(change), laws })

/** A fault of what stands in front of the application; `make` gives each application a memory of its own. */
const between = (make: () => Between, ...laws: readonly string[]): Planted => ({
  make() {
    const app = shop()
    const hook = make()
    return { ...app, fetch: (request: Request) => hook(request, app.fetch) }
  },
  laws,
})

const isJson = (response: Response): boolean => /json/.test(response.headers.get('content-type') ?? '')

const copy = (
  response: Response,
  init: { status?: number; headers?: Record<string, string | null>; body?: unknown },
) => {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(init.headers ?? {}))
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  const body = 'body' in init ? JSON.stringify(init.body) : response.body
  return new Response(body as never, { status: init.status ?? response.status, headers })
}

/** Changes the JSON of answers. */
const bodies =
  (fits: (request: Request, response: Response) => boolean, change: (body: any) => unknown): Between =>
  async (request, next) => {
    const response = await next(request)
    if (!isJson(response) || request.method === 'HEAD' || !fits(request, response)) return response
    return copy(response, { body: change(await response.json()) })
  }

/** Changes answers as a whole. */
const answers =
  (change: (response: Response, request: Request) => Response | Promise<Response>): Between =>
  async (request, next) =>
    change(await next(request), request)

const pathOf = ({ url }: Request): string => new URL(url).pathname
const isOne = (request: Request, { status }: Response): boolean => status === 200 && /\/\d+$/.test(pathOf(request))
const isList = (request: Request, { status }: Response): boolean =>
  status === 200 && /\/articles$/.test(pathOf(request))
const asks =
  (name: string) =>
  (request: Request, response: Response): boolean =>
    isList(request, response) && new URL(request.url).searchParams.has(name)
const each = (change: (one: Json) => Json) => (body: any) => (Array.isArray(body) ? body.map(change) : body)

/** Sends another address than the client asked for. */
const address =
  (change: (url: URL) => void): Between =>
  (request, next) => {
    const url = new URL(request.url)
    change(url)
    return next(new Request(url, request))
  }

/** Every fault, by what it does. */
export const faults: Readonly<Record<string, Planted>> = {
  // --- answers that do not fit -------------------------------------------------------------
  'an attribute leaks from an element': between(() => bodies(isOne, (one) => ({ ...one, secret: 1 })), 'valid'),
  'an attribute leaks from a list': between(
    () =>
      bodies(
        isList,
        each((one) => ({ ...one, version: 1 })),
      ),
    'valid',
    'head',
  ),
  'a required attribute is missing': between(() => bodies(isOne, ({ title: _, ...one }) => one), 'valid'),
  'a number is sent as a text': between(() => bodies(isOne, (one) => ({ ...one, id: String(one.id) })), 'valid'),
  'a value is beyond its limit': between(() => bodies(isOne, (one) => ({ ...one, stock: 5000 })), 'valid'),
  'a status is another one': between(
    () => answers((one) => (one.status === 201 ? copy(one, { status: 202 }) : one)),
    'valid',
  ),
  'a body is of another type': between(
    () => answers((one) => (one.status === 200 ? copy(one, { headers: { 'content-type': 'text/plain' } }) : one)),
    'valid',
  ),
  'a location is missing': between(
    () => answers((one) => (one.status === 201 ? copy(one, { headers: { location: null } }) : one)),
    'valid',
  ),
  'a deletion has a body': between(
    () => answers((one) => (one.status === 204 ? copy(one, { status: 200, body: {} }) : one)),
    'valid',
  ),
  'failures are pages for people': between(
    () => answers((one) => (one.status >= 400 ? copy(one, { headers: { 'content-type': 'text/html' } }) : one)),
    'valid',
    'invalid',
    'admission',
  ),
  'failures say another status': between(
    () =>
      bodies(
        (_, { status }) => status >= 400,
        (body) => ({ ...body, status: 400 }),
      ),
    'valid',
    'invalid',
    'admission',
    'verbs',
  ),
  'a list of nothing is null': between(
    () => bodies(asks('filters'), (body) => (body.length === 0 ? null : body)),
    'valid',
    'filters',
    'scopes',
  ),

  // --- inputs ------------------------------------------------------------------------------
  'a quote in a text is a 500': within(
    ({ create }) => ({ create: (params, context) => create(params, guarded(context, /'/)) }),
    'valid',
    'elements',
    'idempotency',
  ),
  'a filter on an empty column is a 500': within(
    ({ index }) => ({
      index(params, context) {
        if (JSON.stringify(params.filters ?? '').includes('"!!"')) throw new Error('no value')
        return index(params, context)
      },
    }),
    'valid',
    'filters',
    'clients',
    'head',
  ),
  'a near miss is a 500': between(
    () => answers((one, { method }) => (one.status === 400 && method === 'POST' ? copy(one, { status: 500 }) : one)),
    'invalid',
  ),
  'the longest text is refused': between(
    () => async (request, next) => {
      const text = request.method === 'POST' ? await request.clone().text() : '{}'
      const { title = '' } = text.startsWith('{') ? JSON.parse(text) : {}
      const refusal = { type: 'about:blank', title: 'x', status: 400, code: 'validation', errors: [] }
      if (Array.from(String(title)).length !== 20) return next(request)
      return new Response(JSON.stringify(refusal), {
        status: 400,
        headers: { 'content-type': 'application/problem+json' },
      })
    },
    'valid',
    'elements',
  ),
  'unknown params are let through': between(() => address((url) => url.searchParams.delete('undeclared')), 'invalid'),
  'unknown attributes are let through': between(
    () => async (request, next) => {
      if (request.method !== 'POST' && request.method !== 'PATCH') return next(request)
      const text = await request.text()
      const body = text.startsWith('{') ? JSON.stringify({ ...JSON.parse(text), undeclared: undefined }) : text
      return next(new Request(request.url, { method: request.method, headers: request.headers, body }))
    },
    'invalid',
  ),
  'errors point at another place': between(
    () =>
      bodies(
        (_, { status }) => status === 400,
        (body) => ({ ...body, errors: body.errors?.map((one: Json) => ({ ...one, pointer: '/x' })) }),
      ),
    'invalid',
  ),
  'refusals are a 404': between(
    () =>
      answers(async (one) =>
        one.status === 400 ? copy(one, { status: 418, body: { ...(await one.json()), status: 418 } }) : one,
      ),
    'invalid',
  ),

  // --- HTTP --------------------------------------------------------------------------------
  'HEAD finds nothing': between(
    () => answers((one, { method }) => (method === 'HEAD' && one.status === 200 ? copy(one, { status: 404 }) : one)),
    'head',
  ),
  'HEAD lacks headers': between(
    () => answers((one, { method }) => (method === 'HEAD' ? copy(one, { headers: { etag: null, link: null } }) : one)),
    'head',
  ),
  'another verb is a 404': between(
    () => answers((one) => (one.status === 405 ? copy(one, { status: 404 }) : one)),
    'verbs',
  ),
  'Allow is missing': between(
    () => answers((one) => (one.status === 405 ? copy(one, { headers: { allow: null } }) : one)),
    'verbs',
  ),
  'OPTIONS allows less': between(
    () =>
      answers((one, { method }) => (method === 'OPTIONS' ? copy(one, { headers: { allow: 'GET, OPTIONS' } }) : one)),
    'verbs',
  ),
  'a version in a header is not seen': between(
    () => (request, next) => {
      const headers = new Headers(request.headers)
      headers.delete('x-api-version')
      return next(new Request(request, { headers }))
    },
    'versions',
  ),
  'If-None-Match is not seen': between(
    () => (request, next) => {
      const headers = new Headers(request.headers)
      headers.delete('if-none-match')
      return next(new Request(request, { headers }))
    },
    'conditions',
  ),
  'If-Match is not seen': between(
    () => (request, next) => {
      const headers = new Headers(request.headers)
      headers.delete('if-match')
      return next(new Request(request, { headers }))
    },
    'conditions',
  ),
  'a 304 has another tag': between(
    () => answers((one) => (one.status === 304 ? copy(one, { headers: { etag: '"x"' } }) : one)),
    'conditions',
  ),

  // --- lists -------------------------------------------------------------------------------
  'a page is not sorted': within(
    ({ index }) => ({ index: async (params, context) => swapped(await index(params, context)) }),
    'orders',
    'pages',
  ),
  'descending is ascending': between(
    () => address((url) => replace(url, 'order', (text) => text.replaceAll('-', ''))),
    'orders',
  ),
  'the second field of an order is lost': between(
    () => address((url) => replace(url, 'order', (text) => text.split(',')[0] as string)),
    'orders',
  ),
  'the last row of a page is lost': between(
    () => bodies(asks('pagination'), (body) => (body.length > 1 && body.length < 5 ? body.slice(1) : body)),
    'pages',
  ),
  'a row is shown twice': between(
    () => bodies(asks('pagination'), (body) => (body.length === 3 ? [body[0], body[0], body[1]] : body)),
    'pages',
  ),
  'pages are larger than asked': between(
    () => address((url) => replace(url, 'pagination', (text) => text.replace('items=2', 'items=3'))),
    'pages',
  ),
  'the total counts all clients': between(
    () => answers((one) => (one.headers.has('total-count') ? copy(one, { headers: { 'total-count': '14' } }) : one)),
    'pages',
  ),
  'the next link is missing': between(
    () =>
      answers((one) =>
        copy(one, { headers: { link: (one.headers.get('link') ?? '').replace(/<[^>]*>; rel="?next"?,?/, '') } }),
      ),
    'pages',
  ),
  'the previous link leads on': between(
    () =>
      answers((one) =>
        copy(one, {
          headers: {
            link: (one.headers.get('link') ?? '')
              .replace(/rel="?next"?/, 'rel="x"')
              .replace(/rel="?prev"?/, 'rel=prev rel=next'),
          },
        }),
      ),
    'pages',
  ),
  'filters are not seen': between(
    () => address((url) => url.searchParams.delete('filters')),
    'filters',
    'valid',
    'scopes',
    'invalid',
  ),
  'differing from a value is having another': between(
    () =>
      bodies(
        (request, response) => asks('filters')(request, response) && /stock!=/.test(decodeURIComponent(request.url)),
        (body) => body.filter((one: Json) => one['stock'] !== null),
      ),
    'filters',
  ),
  'and is or': between(() => address((url) => replace(url, 'filters', (text) => text.replaceAll('&', '|'))), 'filters'),
  'at least is more': between(
    () => address((url) => replace(url, 'filters', (text) => text.replace('>=', '>'))),
    'filters',
  ),
  'letter case does not matter': between(
    () => (request, next) => {
      const url = new URL(request.url)
      const [, value] = /^title=([^*,&|()]+)$/.exec(url.searchParams.get('filters') ?? '') ?? []
      if (value !== undefined) url.searchParams.set('filters', `title=${value.slice(0, 1)}*`)
      return next(new Request(url, request))
    },
    'filters',
  ),
  'fields show more': between(
    () =>
      bodies(
        asks('fields'),
        each((one) => ({ ...one, kind: 'book' })),
      ),
    'fields',
  ),
  'fields change values': between(
    () =>
      bodies(
        asks('fields'),
        each((one) => (one['title'] === undefined ? one : { ...one, title: 'Zen' })),
      ),
    'fields',
  ),

  // --- elements ----------------------------------------------------------------------------
  'a creation is not stored': within(
    (_, { own }) => ({
      async create(__, context) {
        const made = { ...context.request.payload, id: 99, version: 1 }
        void own
        return context.reply.created(made, { location: '/shop/v1.0/articles/99' })
      },
    }),
    'elements',
    'valid',
  ),
  'an attribute is not stored': within(
    ({ create }) => ({
      create: (params, context) =>
        create(
          params,
          sending(context, (sent) => ({ ...sent, stock: null })),
        ),
    }),
    'elements',
  ),
  'a text is cut': within(
    ({ create }) => ({
      create: (params, context) =>
        create(
          params,
          sending(context, (sent) => ({ ...sent, title: String(sent['title']).slice(0, 10) })),
        ),
    }),
    'elements',
  ),
  'a change is not stored': within(
    (_, { own }) => ({
      async update({ id }, context) {
        await own.within(context).update(id, {}, { request: context.request })
        const found = await own.within(context).find(id)
        return found ? context.reply.ok(found) : context.reply.notFound()
      },
    }),
    'elements',
  ),
  'a change empties what was not sent': within(
    ({ update }) => ({
      update: (params, context) =>
        update(
          params,
          sending(context, (sent) => ({ stock: null, ...sent })),
        ),
    }),
    'elements',
  ),
  'a change changes a neighbour': within(
    ({ update }, { own }) => ({
      async update(params, context) {
        const [first] = (await own.within(context).list({ limit: 1 })) as unknown as Json[]
        if (first !== undefined && first['id'] !== params.id && context.request.payload?.title !== undefined)
          await own.within(context).update(first['id'], { title: context.request.payload.title })
        return update(params, context)
      },
    }),
    'elements',
  ),
  'a deletion deletes nothing': within(
    (_, { own }) => ({
      async remove({ id }, context) {
        return (await own.within(context).find(id)) ? context.reply.noContent() : context.reply.notFound()
      },
    }),
    'elements',
  ),
  'what is created is not listed': between(
    () => bodies(isList, (body) => body.filter(({ id }: Json) => id === undefined || id <= 14)),
    'elements',
    'idempotency',
    'pages',
  ),

  // --- again -------------------------------------------------------------------------------
  'an idempotent creation is done twice': between(
    () => async (request, next) => {
      const key = request.headers.get('idempotency-key')
      if (key !== null) {
        const headers = new Headers(request.headers)
        headers.delete('idempotency-key')
        await next(new Request(request.clone(), { headers }))
      }
      return next(request)
    },
    'idempotency',
  ),
  'a key is not seen': between(
    () => (request, next) => {
      const headers = new Headers(request.headers)
      headers.delete('idempotency-key')
      return next(new Request(request, { headers }))
    },
    'idempotency',
    'invalid',
  ),

  // --- clients -----------------------------------------------------------------------------
  'a scope leaks from an element': within(
    (_, { all }) => ({
      async show({ id }, context) {
        const found = await all.find(id, context.request)
        return found ? context.reply.ok(found) : context.reply.notFound()
      },
    }),
    'scopes',
  ),
  'a scope does not hold for changes': within(
    (_, { all }) => ({
      async update({ id }, context) {
        const isThere = await all.update(id, context.request.payload ?? {}, { request: context.request })
        return isThere ? context.reply.ok(await all.find(id)) : context.reply.notFound()
      },
    }),
    'scopes',
  ),
  'a scope does not hold for deletions': within(
    (_, { all }) => ({
      remove: async ({ id }, context) =>
        (await all.delete(id)) ? context.reply.noContent() : context.reply.notFound(),
    }),
    'scopes',
    'elements',
  ),
  'a scope is lost with filters': within(
    ({ index }, { all }) => ({
      index: async (params, context) =>
        params.filters === undefined ? index(params, context) : context.reply.ok(await all.list(context.request)),
    }),
    'scopes',
    'filters',
  ),
  'an answer is cached for another client': between(
    cache,
    'clients',
    'scopes',
    'admission',
    'elements',
    'pages',
    'conditions',
    'versions',
  ),
  'clients without credentials are let in': between(
    () => (request, next) => {
      const headers = new Headers(request.headers)
      if (!headers.has('authorization')) headers.set('authorization', 'Bearer 1')
      return next(new Request(request, { headers }))
    },
    'admission',
  ),
  'caches may share what differs': between(
    () =>
      answers((one) =>
        one.status === 200 ? copy(one, { headers: { 'cache-control': 'public, max-age=60', vary: null } }) : one,
      ),
    'clients',
  ),
}

/** A cache that goes by the address alone. */
function cache(): Between {
  const kept = new Map<string, Response>()
  return async (request, next) => {
    if (request.method !== 'GET') return next(request)
    const known = kept.get(request.url)
    if (known !== undefined) return known.clone()
    const response = await next(request)
    if (response.status === 200) kept.set(request.url, response.clone())
    return response
  }
}

function replace(url: URL, name: string, change: (text: string) => string): void {
  const text = url.searchParams.get(name)
  if (text !== null) url.searchParams.set(name, change(text))
}

function swapped(response: { body?: unknown }): unknown {
  const { body } = response
  if (Array.isArray(body) && body.length > 2) [body[0], body[1]] = [body[1], body[0]]
  return response
}

/** A context whose payload is another one. */
const sending = (context: any, change: (sent: Json) => Json): any => ({
  request: context.request,
  reply: context.reply,
  principal: context.principal,
  href: (...args: unknown[]) => context.href(...args),
  sent: change(context.request.payload ?? {}),
})

function guarded(context: any, pattern: RegExp): any {
  if (pattern.test(String(context.request.payload?.title))) throw new Error('a quote')
  return context
}
