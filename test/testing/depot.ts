// A depot of parcels, kept in maps by hand: three clients, two of them with parcels of their own.
import {
  type Application,
  application,
  childOf,
  collectionOf,
  endpoint,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { checkConditions, conditional, etag } from 'edict/conditional'
import { idempotency, idempotent } from 'edict/idempotency'
import { FilteringParams, mapper } from 'edict/mapper'
import { limitOffset, OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'

interface Clerk {
  readonly name: string
  readonly house: number
  readonly chief: boolean
}
const Badge = security.bearer<Clerk>('Badge')

const Parcel = mediaType('Parcel', {
  attributes: {
    id: t.integer({ required: true }),
    label: t.string({ required: true, min: 1, max: 60 }),
    weight: t.decimal({ required: true, scale: 3, min: '0.001', max: '99999.999' }),
    tracking: t.bigint({ nullable: true, min: 0n, max: 99_999_999_999_999_999_999n }),
    posted: t.dateTime({ nullable: true }),
    due: t.date({ nullable: true }),
    status: t.string({ required: true, values: ['new', 'sent', 'lost'] }),
    content: t.union('is', {
      goods: {
        items: t.array(
          t.object({ name: t.string({ required: true, max: 20 }), count: t.integer({ min: 1, max: 99, default: 1 }) }),
          { max: 4 },
        ),
      },
      papers: { pages: t.integer({ required: true, min: 1, max: 5000 }), secret: t.boolean() },
    }),
    to: t.object({
      street: t.string({ max: 40 }),
      zip: t.string({ nullable: true, max: 8 }),
      country: t.object({ code: t.string({ required: true, pattern: /[A-Z]{2}/, max: 2 }) }),
    }),
    tags: t.array(t.string({ max: 10 }), { max: 5 }),
    note: t.string({ nullable: true, max: 80 }),
    value: t.number({ nullable: true, min: 0 }),
    insured: t.boolean({ default: false }),
    priority: t.integer({ default: 5, min: 0, max: 9 }),
    revision: t.integer({ required: true }),
  },
  views: { brief: ['id', 'label', 'weight', 'status', 'due', 'priority'] },
})

const Scan = mediaType('Scan', {
  attributes: {
    id: t.integer({ required: true }),
    place: t.string({ required: true, min: 1, max: 30 }),
    at: t.dateTime({ required: true }),
    ok: t.boolean({ default: true }),
  },
})

const id = t.integer()
const values = {
  label: inherit,
  weight: inherit,
  tracking: inherit,
  posted: inherit,
  due: inherit,
  content: inherit,
  to: inherit,
  tags: inherit,
  note: inherit,
  value: inherit,
  insured: inherit,
  priority: inherit,
}
const listParams = {
  filters: FilteringParams.for(Parcel, {
    id: {},
    label: { wildcards: true },
    status: {},
    due: {},
    priority: {},
    weight: {},
  }),
  order: OrderingParams.for(Parcel, { byFields: ['id', 'label', 'due', 'priority', 'weight'] }),
  pagination: PaginationParams.for(Parcel, { byFields: ['id', 'label'], maxItems: 40, pageSize: 5 }),
}

const Parcels = endpoint('Parcels', {
  version: '3',
  mediaType: Parcel,
  actionDefaults: { security: Badge, responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), params: listParams, responses: { ok: collectionOf(Parcel, { view: 'brief' }) } },
    search: {
      routing: route.post('/search', { params: 'body' }),
      params: listParams,
      responses: { ok: collectionOf(Parcel, { view: 'brief' }) },
    },
    export: {
      routing: route.get('/export'),
      params: { filters: listParams.filters },
      responses: {
        ok: {
          mediaType: [
            collectionOf(Parcel, { as: 'ndjson', view: 'brief' }),
            collectionOf(Parcel, { as: 'csv', view: 'brief' }),
          ],
        },
      },
    },
    table: {
      routing: route.get('/table'),
      responses: { ok: { mediaType: [collectionOf(Parcel, { as: 'csv', view: 'brief' })] } },
    },
    show: { routing: route.get('/:id'), params: { id }, policies: [etag('revision')], responses: { ok: Parcel } },
    create: {
      routing: route.post('/'),
      policies: [idempotent({ keep: '1h' })],
      payload: values,
      responses: { created: { location: /.*\/parcels\/\d+/, mediaType: Parcel } },
    },
    change: {
      routing: route.patch('/:id'),
      params: { id },
      policies: [etag('revision')],
      payload: {
        ...values,
        label: inherit({ required: false }),
        weight: inherit({ required: false }),
        insured: inherit({ default: undefined }),
        priority: inherit({ default: undefined }),
        status: inherit({ required: false }),
      },
      responses: { ok: Parcel },
    },
    remove: { routing: route.delete('/:id'), params: { id }, responses: { noContent: true } },
    send: {
      routing: route.post('/:id/send'),
      params: { id },
      policies: [rateLimit({ limit: 20, per: '1m', by: 'principal' })],
      responses: { ok: Parcel, conflict: true },
    },
    label: { routing: route.get('/:id/label'), params: { id }, responses: { ok: 'application/pdf' } },
    print: {
      routing: route.put('/:id/label'),
      params: { id },
      payload: t.file({ required: true, types: ['application/pdf'], max: 100_000 }),
      responses: { noContent: true },
    },
  },
})

const scanList = limitOffset.for(Scan, {
  orderBy: ['id', 'place', 'at'],
  filterBy: { place: {}, ok: {} },
  order: ['-at'],
  maxItems: 20,
  pageSize: 3,
})
const Scans = endpoint('Scans', {
  version: '3',
  parent: childOf(Parcels, { id: 'parcel' }),
  mediaType: Scan,
  actionDefaults: { security: Badge, responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), params: scanList.params, responses: { ok: scanList.body } },
    show: { routing: route.get('/:id'), params: { id }, responses: { ok: Scan } },
    create: {
      routing: route.post('/'),
      payload: { place: inherit, at: inherit, ok: inherit },
      responses: { created: { location: /.*\/scans\/\d+/, mediaType: Scan } },
    },
    change: {
      routing: route.patch('/:id'),
      params: { id },
      payload: { place: inherit({ required: false }), ok: inherit({ default: undefined }) },
      responses: { ok: Scan },
    },
    remove: { routing: route.delete('/:id'), params: { id }, responses: { noContent: true } },
  },
} as never) as any

const Me = endpoint('Me', {
  version: '3',
  actions: {
    show: {
      routing: route.get('/'),
      security: Badge,
      responses: {
        ok: t.object({
          name: t.string({ required: true }),
          house: t.integer({ required: true }),
          parcels: t.integer({ required: true }),
        }),
      },
    },
  },
})

type Json = Record<string, any>
const clerks: Record<string, Clerk> = {
  anna: { name: 'anna', house: 1, chief: false },
  ben: { name: 'ben', house: 2, chief: false },
  root: { name: 'root', house: 0, chief: true },
}
export const principals = Object.fromEntries(
  Object.keys(clerks).map((name) => [name, { Authorization: `Bearer ${name}` }]),
)

const identify = ({ name }: any): string => name

const seedParcels = (): Json[] =>
  Array.from({ length: 13 }, (_, i) => ({
    id: i + 1,
    house: 1 + (i % 2),
    label: ['Books', 'books', 'Éclair', 'Zebra', 'apple'][i % 5],
    weight: `${(i * 7) % 20}.${i % 10}50`,
    tracking: i % 3 === 0 ? null : 9_007_199_254_740_993n + BigInt(i),
    posted: i % 4 === 0 ? null : new Date(Date.UTC(2026, i % 12, 1 + i, 23, 30)),
    due: i % 5 === 0 ? null : `2026-0${1 + (i % 9)}-1${i % 10}`,
    status: ['new', 'sent', 'lost'][i % 3],
    content: i % 2 ? { is: 'papers', pages: i + 1 } : { is: 'goods', items: [{ name: 'Cup', count: 2 }] },
    to: { street: `Street ${i}`, country: { code: 'DE' } },
    tags: ['a'],
    note: null,
    value: i / 4,
    insured: false,
    priority: i % 10,
    revision: 1,
    gone: i === 11,
  }))

const compare = (a: any, b: any): number => Number(a > b) - Number(a < b)

function holds(one: Json, filter: any, f: (name: string) => boolean): boolean {
  if (filter === undefined) return true
  if (filter.op === 'and') return filter.of.every((part: any) => holds(one, part, f))
  if (filter.op === 'or') return filter.of.some((part: any) => holds(one, part, f))
  const value = one[filter.field]
  const number = (text: unknown) =>
    filter.field === 'weight' && !f('weights are compared as texts') ? Number(text) : text
  if (filter.op === '!') return value !== null
  if (filter.op === '!!') return value === null
  if (filter.op === '=' || filter.op === '!=') {
    const fits = filter.any.some((match: any) => {
      if ('value' in match) {
        if (f('equal ignores letter case') && typeof value === 'string')
          return value.toLowerCase() === String(match.value).toLowerCase()
        if (f('equal trims') && typeof value === 'string') return value.trim() === String(match.value).trim()
        return value !== null && compare(number(value), number(match.value)) === 0
      }
      if (value === null) return false
      const { text, before, after } = match.pattern
      if (f('a wildcard at the end is taken for both ends') && after) return value.includes(text)
      if (f('wildcards ignore letter case')) return value.toLowerCase().includes(text.toLowerCase())
      if (before && after) return value.includes(text)
      return after ? value.startsWith(text) : value.endsWith(text)
    })
    if (filter.op === '!=' && f('unequal leaves out nulls') && value === null) return false
    return filter.op === '=' ? fits : !fits
  }
  if (value === null) return f('less than finds nulls') && filter.op.startsWith('<')
  const compared = compare(number(value), number(filter.value))
  if (f('at most is less') && filter.op === '<=') return compared < 0
  const isOrEqual = filter.op.endsWith('=')
  return compared === 0 ? isOrEqual : compared < 0 === filter.op.startsWith('<')
}

/** Makes the depot, with one fault at most. */
export function depot(fault = ''): Application {
  const f = (name: string): boolean => fault === name
  const parcels = new Map<number, Json>(seedParcels().map((one) => [one['id'], one]))
  const scans = new Map<number, Map<number, Json>>(
    [...parcels.keys()].map((of) => [
      of,
      new Map(
        Array.from({ length: of % 6 }, (_, i) => [
          of * 100 + i,
          {
            id: of * 100 + i,
            place: ['Rom', 'Ulm', 'Bonn'][i % 3],
            at: new Date(Date.UTC(2026, 1, i + 1)),
            ok: i % 2 === 0,
          },
        ]),
      ),
    ]),
  )
  const labels = new Map<number, Uint8Array>()
  let next = 100
  const sees = ({ house, chief }: Clerk, one: Json): boolean =>
    (chief || one['house'] === house) && (!one['gone'] || f('soft-deleted parcels are shown'))
  const find = (at: number, clerk: Clerk): Json | undefined => {
    if (f('ids are cut to 32 bits')) at = at | 0
    const one = parcels.get(at)
    if (one === undefined && f('a missing parcel is the first one'))
      return [...parcels.values()].find((other) => sees(clerk, other))
    return one && sees(clerk, one) ? one : undefined
  }
  const own = (clerk: Clerk): Json[] => [...parcels.values()].filter((one) => sees(clerk, one))
  const listed = (clerk: Clerk, request: any): Json[] => {
    const all = f('soft-deleted parcels are listed')
      ? [...parcels.values()].filter((one) => clerk.chief || one['house'] === clerk.house)
      : own(clerk)
    return all.filter((one) => holds(one, request.params.filters, f))
  }
  const kept = (sent: Json): Json => {
    const made = { ...sent }
    if (made['label'] !== undefined) {
      if (f('labels are trimmed')) made['label'] = made['label'].trim() || '-'
      if (f('labels are normalised')) made['label'] = made['label'].normalize('NFC')
      if (f('labels are cut in UTF-16 units')) made['label'] = made['label'].slice(0, 59)
      if (f('labels lose emoji')) made['label'] = made['label'].replace(/\p{Extended_Pictographic}/gu, '?')
      if (f('labels are escaped')) made['label'] = made['label'].replaceAll('<', '&lt;').slice(0, 60)
      if (f('labels collapse spaces')) made['label'] = made['label'].replace(/\s+/g, ' ')
      if (f('backslashes are lost')) made['label'] = made['label'].replaceAll('\\', '') || 'x'
    }
    if (made['weight'] !== undefined) {
      if (f('weights are rounded to two digits')) made['weight'] = `${Number(made['weight']).toFixed(2)}0`
      if (f('weights are floats')) made['weight'] = Math.fround(Number(made['weight'])).toFixed(3)
    }
    if (typeof made['tracking'] === 'bigint' && f('tracking numbers are doubles'))
      made['tracking'] = BigInt(Number(made['tracking']))
    if (typeof made['tracking'] === 'bigint' && f('tracking numbers are 64 bits'))
      made['tracking'] = BigInt.asUintN(63, made['tracking'])
    if (made['posted'] && f('milliseconds are lost'))
      made['posted'] = new Date(Math.floor(made['posted'].getTime() / 1000) * 1000)
    if (made['posted'] && f('times are local')) made['posted'] = new Date(made['posted'].getTime() + 3_600_000)
    if (made['posted'] && f('times are 32 bits'))
      made['posted'] = new Date(
        (Math.floor(made['posted'].getTime() / 1000) | 0) * 1000 + made['posted'].getMilliseconds(),
      )
    if (made['due'] && f('days are shifted'))
      made['due'] = new Date(Date.parse(made['due']) - 3_600_000).toISOString().slice(0, 10)
    if (made['due'] && f('the 29th of February is the 1st of March') && made['due'].endsWith('-02-29'))
      made['due'] = made['due'].replace('02-29', '03-01')
    if (made['content']?.is === 'papers' && f('papers are kept as goods')) made['content'] = { is: 'goods', items: [] }
    if (made['content']?.items && f('a list of one is lost') && made['content'].items.length === 1)
      made['content'] = { ...made['content'], items: [] }
    if (made['content']?.items && f('only the first item is kept'))
      made['content'] = { ...made['content'], items: made['content'].items.slice(0, 1) }
    if (made['to']?.zip !== undefined && f('an empty zip is null') && made['to'].zip === '')
      made['to'] = { ...made['to'], zip: null }
    if (made['note'] === '' && f('an empty note is null')) made['note'] = null
    if (made['note'] === null && f('a null note is empty')) made['note'] = ''
    if (made['tags'] && f('tags are joined by commas'))
      made['tags'] = made['tags']
        .join(',')
        .split(',')
        .filter((one: string) => one.length <= 10)
        .slice(0, 5)
    if (made['value'] === 0 && f('a value of zero is null')) made['value'] = null
    if (typeof made['value'] === 'number' && f('values are whole')) made['value'] = Math.round(made['value'])
    if (made['insured'] === false && f('false is not stored')) delete made['insured']
    if (made['priority'] === 0 && f('a priority of zero is the default')) made['priority'] = 5
    return made
  }
  const found = (reply: any, one: unknown): any => (one ? reply.ok(one) : reply.notFound())
  const scansAt = ({ parcel }: Json, clerk: Clerk): Map<number, Json> | undefined => {
    const isThere = f('scans are found for any clerk') ? parcels.has(parcel) : find(parcel, clerk) !== undefined
    return isThere ? (scans.get(parcel) ?? scans.set(parcel, new Map()).get(parcel)) : undefined
  }
  const controllers = [
    Parcels.implement({
      index(_: any, { request, reply, principal }: any) {
        const all = listed(principal, request)
        const page = paginate(request, all as never) as any
        if (f('an order by label ignores letter case') && request.params.order?.[0]?.field === 'label')
          page.sort(
            (a: Json, b: Json) =>
              (request.params.order[0].descending ? -1 : 1) *
              compare(a['label'].toLowerCase(), b['label'].toLowerCase()),
          )
        if (f('the list shows another priority'))
          return reply.ok(
            Object.assign(
              page,
              page.map((one: Json) => ({ ...one, priority: 9 - one['priority'] })),
            ),
          )
        if (f('the list shows days as the server has them'))
          page.forEach((one: Json, i: number) => {
            if (one['due'])
              page[i] = { ...one, due: new Date(Date.parse(one['due']) - 7_200_000).toISOString().slice(0, 10) }
          })
        return reply.ok(page)
      },
      search: (_: any, { request, reply, principal }: any) => {
        const seenBy = f('the search forgets the house') ? (clerks['root'] as Clerk) : principal
        const all = f('the search finds deleted parcels')
          ? [...parcels.values()].filter(
              (one) => (seenBy.chief || one['house'] === seenBy.house) && holds(one, request.params.filters, f),
            )
          : listed(seenBy, request)
        return reply.ok(paginate(request, all as never) as any)
      },
      export: (_: any, { request, reply, principal }: any) => {
        const all = f('the export forgets the house')
          ? [...parcels.values()].filter((one) => !one['gone'] && holds(one, request.params.filters, f))
          : listed(principal, request)
        if (f('the export has deleted parcels'))
          all.push(
            ...[...parcels.values()].filter(
              (one) =>
                one['gone'] &&
                (principal.chief || one['house'] === principal.house) &&
                holds(one, request.params.filters, f),
            ),
          )
        return reply.ok(f('the export ends after ten') ? all.slice(0, 10) : all)
      },
      table: (_: any, { reply, principal }: any) =>
        reply.ok(
          (f('the table forgets the house')
            ? [...parcels.values()].filter((one) => !one['gone'])
            : own(principal)) as never,
        ),
      show({ id: at }: any, { reply, principal }: any) {
        if (f('a large id is a 500') && at > 2 ** 31) throw new Error('out of range')
        return found(reply, find(at, principal))
      },
      create(_: any, { request, reply, principal, href }: any) {
        const sent = kept(request.payload)
        const made: Json = {
          tracking: null,
          posted: null,
          due: null,
          note: null,
          value: null,
          tags: [],
          ...sent,
          status: 'new',
          id: next++,
          house: principal.chief ? 1 : principal.house,
          revision: 1,
        }
        if (f('the default priority is another one') && made['priority'] === 5) made['priority'] = 3
        parcels.set(made['id'], made)
        return reply.created(made, {
          location: href(Parcels, { id: f('the location is that of the next one') ? made['id'] + 1 : made['id'] }),
        })
      },
      change({ id: at }: any, { request, reply, principal }: any) {
        const one = find(at, principal)
        if (one === undefined) return reply.notFound()
        checkConditions(request, one)
        const sent = kept(request.payload ?? {})
        if (f('null does not clear')) for (const name of Object.keys(sent)) if (sent[name] === null) delete sent[name]
        if (f('a change resets the tags')) sent['tags'] ??= []
        if (f('a change of the address forgets the zip') && sent['label'] !== undefined && one['to'])
          one['to'] = { ...one['to'], zip: null }
        Object.assign(one, sent)
        if (!(f('a change of the note keeps the revision') && Object.keys(sent).join() === 'note')) one['revision'] += 1
        return reply.ok(f('a change is answered with what was sent') ? { ...one, due: sent['due'] ?? null } : one)
      },
      remove({ id: at }: any, { reply, principal }: any) {
        const one = find(at, principal)
        if (one === undefined) return reply.noContent()
        one['gone'] = true
        if (f('a deletion takes another one along')) {
          const other = own(principal).find((two) => two['id'] === at - 2)
          if (other) other['gone'] = true
        }
        return reply.noContent()
      },
      send({ id: at }: any, { reply, principal }: any) {
        const one = find(at, principal)
        if (one && one['status'] !== 'new') return reply.conflict('It was sent.')
        if (one) Object.assign(one, { status: 'sent', revision: one['revision'] + 1 })
        return found(reply, one)
      },
      label: ({ id: at }: any, { reply, principal }: any) => found(reply, find(at, principal) && labels.get(at)),
      async print({ id: at }: any, { request, reply, principal }: any) {
        if (find(at, principal) === undefined) return reply.notFound()
        const bytes = await request.payload.bytes()
        if (f('a label loses its last byte')) labels.set(at, bytes.slice(0, -1))
        else if (f('a label is read as text')) labels.set(at, new TextEncoder().encode(new TextDecoder().decode(bytes)))
        else if (f('labels are kept under one name')) for (const one of parcels.keys()) labels.set(one, bytes)
        else labels.set(at, bytes)
        return reply.noContent()
      },
    } as never),
    Scans.implement({
      index: (at: any, { request, reply, principal }: any) => {
        const all = scansAt(at, principal)
        if (all === undefined) return reply.notFound()
        const filter = request.params.filter
        const page = [...all.values()].filter((one) => holds(one, filter, f))
        return reply.ok(scanList.answer(request, scanList.page(request, page as never)))
      },
      show: (at: any, { reply, principal }: any) => found(reply, scansAt(at, principal)?.get(at.id)),
      create(at: any, { request, reply, principal, href }: any) {
        const all = scansAt(at, principal)
        if (all === undefined) return reply.notFound()
        const made = { ...request.payload, id: next++ }
        all.set(made.id, made)
        return reply.created(made, { location: href(Scans, { parcel: at.parcel, id: made.id }) })
      },
      change(at: any, { request, reply, principal }: any) {
        const one = scansAt(at, principal)?.get(at.id)
        if (one) Object.assign(one, request.payload, f('a change of a scan says that it is ok') ? { ok: true } : {})
        return found(reply, one)
      },
      remove: (at: any, { reply, principal }: any) =>
        scansAt(at, principal)?.delete(at.id) ? reply.noContent() : reply.notFound(),
    }),
    Me.implement({
      show: (_: any, { reply, principal }: any) =>
        reply.ok({ name: principal.name, house: principal.house, parcels: own(principal).length }),
    } as never),
  ]
  const app = application({
    title: 'Depot',
    controllers,
    versionWith: ['header'],
    plugins: [
      mapper(),
      pagination(),
      conditional(),
      rateLimits(memoryStore(), { identify }),
      idempotency(memoryStore(), { identify: f('a key is shared by all clerks') ? () => 'all' : identify }),
    ],
    verifiers: [verifier(Badge, (token) => clerks[token])],
    logger: { info() {}, warn() {}, error() {} },
  }) as Application
  return between(app, f)
}

type Next = (request: Request) => Promise<Response>

/** Puts a gateway in front of the depot, which makes the faults that no controller can make. */
function between(app: Application, f: (name: string) => boolean): Application {
  const cached = new Map<string, Response>()
  const changedBody = async (response: Response, change: (body: any) => unknown) => {
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(JSON.stringify(change(await response.json())), { status: response.status, headers })
  }
  const fetch: Next = async (request) => {
    const url = new URL(request.url)
    const isList = url.pathname === '/parcels' && /GET|HEAD/.test(request.method)
    if (f('a status is taken in any case') && /^(PATCH)$/.test(request.method)) {
      const text = await request.text()
      return app.fetch(
        new Request(request.url, {
          method: request.method,
          headers: request.headers,
          body: text.replace(/"status":"(\w+)"/, (_, one) => `"status":"${one.toLowerCase()}"`),
        }),
      )
    }
    if (
      f('tags are compared for all clerks') &&
      request.headers.has('if-none-match') &&
      cached.has(`${url.pathname} ${request.headers.get('if-none-match')}`)
    )
      return (cached.get(`${url.pathname} ${request.headers.get('if-none-match')}`) as Response).clone()
    const response = await app.fetch(request)
    if (response.status === 304) cached.set(`${url.pathname} ${request.headers.get('if-none-match')}`, response.clone())
    if (!isList || response.status !== 200) return response
    const link = response.headers.get('link')
    const set = (name: string, value: string): Response => {
      const headers = new Headers(response.headers)
      headers.set(name, value)
      return new Response(response.body, { status: 200, headers })
    }
    if (link && f('the next link loses the filter')) return set('link', link.replaceAll(/filters=[^&>]*&?/g, ''))
    if (link && f('the next link loses the order')) return set('link', link.replaceAll(/order=[^&>]*&?/g, ''))
    if (link && f('there is no next link without a size') && !url.searchParams.has('pagination')) return set('link', '')
    if (f('the total ignores the filter') && response.headers.has('total-count') && url.searchParams.has('filters')) {
      url.searchParams.delete('filters')
      return set('total-count', (await app.fetch(new Request(url, request))).headers.get('total-count') ?? '0')
    }
    if (f('a page without a size is shorter') && !url.searchParams.has('pagination'))
      return changedBody(response, (body) => body.slice(0, 3))
    return response
  }
  return { ...app, fetch }
}
