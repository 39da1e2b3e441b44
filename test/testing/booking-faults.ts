// Faults of the bookings, one at a time, as programmers make them: in the functions, and between them and their clients.
import type { Application } from 'edict'
import { booking, type Change } from './booking.ts'

type Json = Record<string, any>

/** Bookings with a fault, and the laws of which one must find it. */
export interface Planted {
  readonly make: () => Application
  readonly laws: readonly string[]
}

/** A fault in one function of an endpoint. */
const within = (
  of: string,
  name: string,
  change: (act: any, shelves: Parameters<Change>[1], acts: Parameters<Change>[0]) => any,
  ...laws: readonly string[]
): Planted => ({
  make: () =>
    booking((acts, shelves) => ({ ...acts, [of]: { ...acts[of], [name]: change(acts[of]?.[name], shelves, acts) } })),
  laws,
})

type Next = (request: Request) => Promise<Response>

/** A fault of what stands in front of the application. */
const between = (hook: (request: Request, next: Next) => Promise<Response>, ...laws: readonly string[]): Planted => ({
  make() {
    const app = booking()
    return { ...app, fetch: (request: Request) => hook(request, app.fetch) }
  },
  laws,
})

/** Another body for answers with a JSON body. */
async function rewritten(response: Response, change: (body: any) => unknown): Promise<Response> {
  if (!/json/.test(response.headers.get('content-type') ?? '') || response.status >= 400) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(change(await response.json())), { status: response.status, headers })
}

const bodiesAt = (path: RegExp, change: (body: any, url: URL) => unknown, ...laws: readonly string[]): Planted =>
  between(
    async (request, next) => {
      const url = new URL(request.url)
      const response = await next(request)
      if (!path.test(url.pathname) || request.method === 'HEAD') return response
      return rewritten(response, (body) => change(body, url))
    },
    ...laws,
  )

const queriesAt = (path: RegExp, change: (query: URLSearchParams) => void, ...laws: readonly string[]): Planted =>
  between(
    (request, next) => {
      const url = new URL(request.url)
      if (path.test(url.pathname)) change(url.searchParams)
      return next(new Request(url, request))
    },
    ...laws,
  )

const refused = (status: number): Response =>
  Response.json({ type: 'about:blank', title: 'x', status, code: 'x' }, { status })

const changed = (query: URLSearchParams, name: string, change: (text: string) => string): void => {
  const text = query.get(name)
  if (text !== null) query.set(name, change(text))
}

const ROOMS = /\/rooms$/
const BOOKINGS = /\/bookings$/
const GUESTS = /\/guests$/
const REPORTS = /\/reports$/
const SEARCH = /\/hotels\/search$/

/** Every fault, by what it does. */
export const bookingFaults: Readonly<Record<string, Planted>> = {
  // --- parents ---------------------------------------------------------------------------
  'a deleted hotel leaves its rooms behind': within(
    'Hotels',
    'remove',
    (remove, { rooms }) =>
      async (at: Json, context: Json) => {
        const kept = rooms.get(at['code'])
        const answer = await remove(at, context)
        if (kept !== undefined) rooms.set(at['code'], kept)
        return answer
      },
    'elements',
  ),
  'a room is found below any hotel': within(
    'Rooms',
    'show',
    (show, { rooms }) =>
      (at: Json, context: Json) => {
        const same = (one: Json): boolean => one['floor'] === at['floor'] && one['number'] === at['number']
        const other = [...rooms].find(([, all]) => all.some(same))
        return show({ ...at, hotel: rooms.get(at['hotel'])?.some(same) ? at['hotel'] : other?.[0] }, context)
      },
    'parents',
    'elements',
  ),
  'a guest leaves any booking': within(
    'Guests',
    'leave',
    (leave, { guests }) =>
      (at: Json, context: Json) => {
        for (const [parent, all] of guests)
          if (all.some((one) => one['id'] === at['id'] && Number(parent) !== at['booking'])) {
            guests.set(
              parent,
              all.filter((one) => one['id'] !== at['id']),
            )
            return context['reply'].noContent()
          }
        return leave(at, context)
      },
    'parents',
  ),

  // --- keys of two parts -------------------------------------------------------------------
  'a room is replaced by its floor alone': within(
    'Rooms',
    'replace',
    (replace, { rooms }) =>
      async (at: Json, context: Json) => {
        const answer = await replace(at, context)
        for (const one of rooms.get(at['hotel']) ?? [])
          if (one['floor'] === at['floor']) Object.assign(one, context['request'].payload)
        return answer
      },
    'elements',
  ),
  'a second room of the same key is taken': within(
    'Rooms',
    'create',
    (_, { rooms }) =>
      ({ hotel }: Json, { request, reply }: any) => {
        const made = { features: {}, checkin: null, ...request.payload }
        rooms.get(hotel)?.push(made)
        return rooms.has(hotel) ? reply.created(made) : reply.notFound()
      },
    'elements',
  ),

  // --- values ------------------------------------------------------------------------------
  'an invoice is kept as a card': within(
    'Bookings',
    'create',
    (create) => (at: Json, context: any) => {
      const { payload } = context.request
      const payment = payload.payment?.by === 'invoice' ? { by: 'card', last: '0000' } : payload.payment
      return create(at, { ...pick(context), request: { ...context.request, payload: { ...payload, payment } } })
    },
    'elements',
    'valid',
  ),
  'a day is shifted by a time zone': bodiesAt(
    /\/bookings\/\d+$/,
    (body) => ({ ...body, arrival: new Date(Date.parse(body.arrival) - 86_400_000).toISOString().slice(0, 10) }),
    'elements',
  ),
  'a guest without a birthday is born in 1970': bodiesAt(
    /\/guests\/\d+$/,
    (body) => (body.born === null ? { ...body, born: '1970-01-01' } : body),
    'elements',
  ),

  // --- conventions -------------------------------------------------------------------------
  'an offset is not seen': queriesAt(ROOMS, (query) => query.delete('offset'), 'pages'),
  'an offset counts pages': queriesAt(
    ROOMS,
    (query) => changed(query, 'offset', (text) => String(Number(text) * Number(query.get('limit') ?? 1))),
    'pages',
  ),
  'the count is that of the page': bodiesAt(ROOMS, (body) => ({ ...body, count: body.rooms.length }), 'pages'),
  'a cursor begins one element too late': bodiesAt(
    BOOKINGS,
    (body, url) => (url.searchParams.has('cursor') ? { ...body, items: body.items.slice(1) } : body),
    'pages',
  ),
  'the cursor back leads on': bodiesAt(
    BOOKINGS,
    (body) => (body.prev_cursor && body.next_cursor ? { ...body, prev_cursor: body.next_cursor } : body),
    'pages',
  ),
  'there is more behind the end': bodiesAt(
    GUESTS,
    (body) => (body.data?.length > 0 ? { ...body, has_more: true } : body),
    'pages',
  ),
  'a list of Stripe shows its elements twice': bodiesAt(
    GUESTS,
    (body, url) => (url.searchParams.has('starting_after') ? { ...body, data: [...body.data, body.data[0]] } : body),
    'pages',
    'valid',
  ),
  'the link of JSON:API forgets the size of pages': bodiesAt(
    REPORTS,
    (body) => ({
      ...body,
      links: { ...body.links, next: body.links.next?.replace(/page(?:%5B|\[)size(?:%5D|\])=\d+&?/, '') ?? null },
    }),
    'pages',
  ),
  'a filter of JSON:API takes its first value only': queriesAt(
    REPORTS,
    (query) => {
      for (const name of [...query.keys()])
        if (name.startsWith('filter[')) changed(query, name, (text) => text.split(',')[0] as string)
    },
    'filters',
  ),
  'an order in words is always ascending': queriesAt(
    SEARCH,
    (query) => changed(query, 'order_by', (text) => text.replaceAll(' desc', '')),
    'orders',
  ),
  'decimals are sorted as texts': bodiesAt(
    ROOMS,
    (body, url) => {
      const order = url.searchParams.get('sort') ?? ''
      if (!/^-?price$/.test(order)) return body
      const sorted = body.rooms.toSorted((a: Json, b: Json) => (a['price'] < b['price'] ? -1 : 1))
      return { ...body, rooms: order.startsWith('-') ? sorted.toReversed() : sorted }
    },
    'orders',
  ),
  'a mask of fields does not hide': queriesAt(SEARCH, (query) => query.delete('read_mask'), 'fields', 'valid'),

  // --- versions and conditions ---------------------------------------------------------------
  'the first version shows what the second one does': bodiesAt(
    /\/v1\/hotels\/\w+$/,
    (body) => ({ ...body, rating: null }),
    'valid',
  ),
  'the version of a path is not that of a header': between((request, next) => {
    const headers = new Headers(request.headers)
    if (headers.get('x-api-version') === '2') headers.set('x-api-version', '1')
    return next(new Request(request, { headers }))
  }, 'versions'),
  'a tag stays as it was': between(async (request, next) => {
    const response = await next(request)
    if (!response.headers.has('etag')) return response
    const headers = new Headers(response.headers)
    headers.set('etag', '"1"')
    return new Response(response.body, { status: response.status, headers })
  }, 'conditions'),
  'a key is good for another payload': between(keptByKey(), 'idempotency'),

  // --- bodies ------------------------------------------------------------------------------
  'a body that ends too early is a 500': between(async (request, next) => {
    const response = await next(request)
    return response.status === 400 && (await response.clone().text()).includes('malformed-body')
      ? refused(500)
      : response
  }, 'bodies'),
  'bodies of any type are read': between(async (request, next) => {
    const headers = new Headers(request.headers)
    if (headers.get('content-type') === 'image/x-none') headers.set('content-type', 'application/json')
    return next(new Request(request, { headers }))
  }, 'bodies'),

  // --- agencies ------------------------------------------------------------------------------
  'an agency sees the guests of another': within(
    'Guests',
    'index',
    (index) => async (at: Json, context: any) => {
      const answer = await index(at, context)
      const principal = { agency: 3 - context.principal.agency }
      return answer.name === 'ok' ? answer : index(at, { ...pick(context), principal })
    },
    'scopes',
    'parents',
  ),
}

/** The parts of a context that functions use. */
const pick = ({ request, reply, principal, href }: any): Json => ({
  request,
  reply,
  principal,
  href: (...args: unknown[]) => href(...args),
})

/** A cache of answers by their idempotency key alone. */
function keptByKey(): (request: Request, next: Next) => Promise<Response> {
  const kept = new Map<string, Response>()
  return async (request, next) => {
    const key = request.headers.get('idempotency-key')
    const known = key === null ? undefined : kept.get(key)
    if (known !== undefined) return known.clone()
    const response = await next(request)
    if (key !== null && response.status < 300) kept.set(key, response.clone())
    return response
  }
}
