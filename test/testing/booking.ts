// Bookings of hotels: two versions, keys of two parts, parents three deep, unions, files, idempotent creations, tags, agencies
// that see their own, and each list in another convention. Rooms and guests are kept in maps by hand, the rest in tables.
import {
  type Application,
  application,
  type Context,
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
import { conditional, etag } from 'edict/conditional'
import { idempotency, idempotent } from 'edict/idempotency'
import { FieldSelector, FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import {
  aip,
  cursors,
  jsonApi,
  limitOffset,
  OrderingParams,
  PaginationParams,
  pagination,
  stripe,
} from 'edict/pagination'
import { memoryStore } from 'edict/stores'

/** The principal: an agency that books. */
interface Agency {
  readonly agency: number
}

const Key = security.apiKey<Agency>('Key', { in: 'header', name: 'X-Agency-Key' })

// --- what there is -------------------------------------------------------------------------

const Hotel = mediaType('Hotel', {
  attributes: {
    code: t.string({ required: true, pattern: /[A-Z]{3}/, max: 3 }),
    name: t.string({ required: true, min: 1, max: 30 }),
    stars: t.integer({ required: true, min: 1, max: 5 }),
    rating: t.decimal({ nullable: true, scale: 1, min: '0.0', max: '10.0' }),
    opened: t.date({ nullable: true }),
    address: t.object({ street: t.string({ max: 30 }), city: t.string({ required: true, max: 20 }) }),
    version: t.integer({ required: true }),
  },
  views: {
    default: ['code', 'name', 'stars', 'rating', 'opened', 'address', 'version'],
    brief: ['code', 'name', 'stars'],
  },
})

const Room = mediaType('Room', {
  attributes: {
    floor: t.integer({ required: true, min: 0, max: 30 }),
    number: t.integer({ required: true, min: 1, max: 99 }),
    beds: t.integer({ required: true, min: 1, max: 6 }),
    price: t.decimal({ required: true, scale: 2, min: '1.00', max: '9999.99' }),
    features: t.record(t.string({ max: 12 }), { max: 3 }),
    checkin: t.time({ nullable: true }),
  },
})

const Payment = t.union('by', {
  card: { last: t.string({ required: true, pattern: /\d{4}/, max: 4 }), expires: t.date() },
  invoice: { to: t.string({ required: true, min: 1, max: 30 }), days: t.integer({ min: 1, max: 90 }) },
})

const Booking = mediaType('Booking', {
  attributes: {
    id: t.integer({ required: true }),
    arrival: t.date({ required: true }),
    nights: t.integer({ required: true, min: 1, max: 30 }),
    status: t.string({ required: true, values: ['asked', 'booked', 'cancelled'] }),
    note: t.string({ nullable: true, max: 40 }),
    payment: Payment,
    changed: t.integer({ required: true }),
  },
})

const Guest = mediaType('Guest', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true, min: 1, max: 20 }),
    born: t.date({ nullable: true }),
    languages: t.array(t.string({ values: ['de', 'en', 'ja'] }), { max: 3 }),
  },
})

// --- endpoints -----------------------------------------------------------------------------

const code = t.string()
const hotelFields = ['code', 'name', 'stars', 'rating', 'opened'] as const
const hotelSearch = aip.for(Hotel, {
  key: ['code'],
  orderBy: hotelFields,
  filterBy: { code: {}, stars: {}, rating: {}, name: { wildcards: true }, 'address.city': {} },
  fields: true,
})

/** The first version of the hotels shows less, and nothing of it can be changed. */
const HotelsV1 = endpoint('Hotels', {
  version: '1',
  mediaType: Hotel,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Hotel, { key: ['code'], byFields: ['code', 'stars'] }) },
      responses: { ok: collectionOf(Hotel, { view: 'brief' }) },
    },
    show: { routing: route.get('/:code'), params: { code }, responses: { ok: Hotel.view('brief'), notFound: true } },
  },
})

const Hotels = endpoint('Hotels', {
  version: '2',
  mediaType: Hotel,
  actions: {
    index: {
      routing: [route.get('/'), route.query('/')],
      params: {
        filters: FilteringParams.for(Hotel, {
          ...{ code: {}, name: { wildcards: true }, stars: {}, rating: {}, opened: {}, 'address.city': {} },
        }),
        order: OrderingParams.for(Hotel, { byFields: hotelFields }),
        pagination: PaginationParams.for(Hotel, {
          key: ['code'],
          byFields: ['code', 'stars'],
          maxItems: 40,
          pageSize: 4,
        }),
        fields: FieldSelector.for(Hotel),
      },
      responses: { ok: collectionOf(Hotel) },
    },
    search: { routing: route.get('/search'), params: hotelSearch.params, responses: { ok: hotelSearch.body } },
    show: {
      routing: route.get('/:code'),
      params: { code },
      policies: [etag('version')],
      responses: { ok: Hotel, notFound: true },
    },
    create: {
      routing: route.post('/'),
      security: Key,
      policies: [idempotent({ keep: '1h' })],
      payload: {
        ...{ code: inherit, name: inherit, stars: inherit, rating: inherit, opened: inherit, address: inherit },
      },
      bodyLimit: 4000,
      responses: { created: { location: /.*\/hotels\/[A-Z]{3}/, mediaType: Hotel }, conflict: true },
    },
    change: {
      routing: route.patch('/:code'),
      security: Key,
      params: { code },
      policies: [etag('version')],
      payload: {
        ...{
          name: inherit({ required: false }),
          stars: inherit({ required: false }),
          rating: inherit,
          opened: inherit,
        },
      },
      responses: { ok: Hotel, notFound: true },
    },
    remove: {
      routing: route.delete('/:code'),
      security: Key,
      params: { code },
      responses: { noContent: true, notFound: true },
    },
  },
})

const roomList = limitOffset.for(Room, {
  key: ['floor', 'number'],
  orderBy: ['floor', 'number', 'beds', 'price'],
  body: { rooms: 'elements', count: 'total' },
})
const roomKey = { floor: t.integer(), number: t.integer() }
const roomValues = { beds: inherit, price: inherit, features: inherit, checkin: inherit }

const Rooms = endpoint('Rooms', {
  version: '2',
  parent: childOf(Hotels, { code: 'hotel' }),
  mediaType: Room,
  actionDefaults: { security: Key, responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), params: roomList.params, responses: { ok: roomList.body } },
    show: { routing: route.get('/:floor-:number'), params: roomKey, responses: { ok: Room } },
    create: {
      routing: route.post('/'),
      payload: { floor: inherit, number: inherit, ...roomValues },
      responses: { created: Room, conflict: true },
    },
    replace: { routing: route.put('/:floor-:number'), params: roomKey, payload: roomValues, responses: { ok: Room } },
    remove: { routing: route.delete('/:floor-:number'), params: roomKey, responses: { noContent: true } },
    photo: {
      routing: route.get('/:floor-:number/photo'),
      params: roomKey,
      responses: { ok: 'image/png' },
    },
    portray: {
      routing: route.put('/:floor-:number/photo'),
      params: roomKey,
      payload: { image: t.file({ required: true, types: ['image/png'], max: 2000 }), text: t.string({ max: 20 }) },
      responses: { noContent: true },
    },
  },
})

const bookingList = cursors.for(Booking, {
  orderBy: ['arrival', 'nights', 'status'],
  filterBy: { id: {}, nights: {}, status: {}, note: { wildcards: true }, arrival: {} },
  maxItems: 30,
  pageSize: 5,
})
const id = t.integer()

const Bookings = endpoint('Bookings', {
  version: '2',
  parent: childOf(Rooms, { hotel: 'hotel', floor: 'floor', number: 'room' } as never),
  mediaType: Booking,
  actionDefaults: { security: Key, responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), params: bookingList.params, responses: { ok: bookingList.body } },
    show: { routing: route.get('/:id'), params: { id }, policies: [etag('changed')], responses: { ok: Booking } },
    create: {
      routing: route.post('/'),
      policies: [idempotent({ keep: '1h' })],
      payload: { arrival: inherit, nights: inherit, note: inherit, payment: inherit },
      responses: { created: { location: /.*\/bookings\/\d+/, mediaType: Booking } },
    },
    change: {
      routing: route.patch('/:id'),
      params: { id },
      policies: [etag('changed')],
      payload: {
        arrival: inherit({ required: false }),
        nights: inherit({ required: false }),
        note: inherit,
        payment: inherit,
        status: inherit({ required: false }),
      },
      responses: { ok: Booking },
    },
    cancel: { routing: route.delete('/:id'), params: { id }, responses: { noContent: true } },
  },
})

const guestList = stripe.for(Guest, { maxItems: 20, pageSize: 2 })

const Guests = endpoint('Guests', {
  version: '2',
  parent: childOf(Bookings, { id: 'booking' } as never),
  mediaType: Guest,
  actionDefaults: { security: Key, responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), params: guestList.params, responses: { ok: guestList.body } },
    show: { routing: route.get('/:id'), params: { id }, responses: { ok: Guest } },
    create: {
      routing: route.post('/'),
      payload: { name: inherit, born: inherit, languages: inherit },
      responses: { created: Guest },
    },
    leave: { routing: route.delete('/:id'), params: { id }, responses: { noContent: true } },
  },
} as never)

const reportList = jsonApi.for(Booking, {
  orderBy: ['arrival', 'nights', 'id'],
  filterBy: { status: {}, nights: {} },
  fields: true,
  type: 'bookings',
})

const Reports = endpoint('Reports', {
  version: '2',
  actions: {
    index: { routing: route.get('/'), security: Key, params: reportList.params, responses: { ok: reportList.body } },
  },
})

// --- what is kept --------------------------------------------------------------------------

type Json = Record<string, any>
type Act = (params: any, context: any) => any

/** Functions of the bookings by endpoint and action; a fault replaces some of them. */
type Acts = Record<string, Record<string, Act>>

/** The rooms and guests of one application, by the text of their parent. */
interface Shelves {
  readonly rooms: Map<string, Json[]>
  readonly guests: Map<string, Json[]>
  readonly photos: Map<string, Uint8Array>
}

const HOTELS = ['ABC', 'BER', 'KYO', 'LIS', 'ROM', 'WIE'].map((one, i) => ({
  code: one,
  name: ['Astoria', 'Bellevue', 'Bellevue', 'Carlton', 'Excelsior', 'Zum Löwen'][i] as string,
  stars: 1 + ((i * 3) % 5),
  rating: i % 3 === 0 ? null : `${i + 4}.5`,
  opened: i % 4 === 0 ? null : `19${10 + i}-05-0${i + 1}`,
  street: i === 2 ? null : `Street ${i}`,
  city: i === 2 ? null : ['Berlin', 'Rom'][i % 2],
  version: 1,
}))

const BOOKINGS = Array.from({ length: 24 }, (_, i) => ({
  id: i + 1,
  hotel: i < 18 ? 'ABC' : 'BER',
  floor: 1,
  room: 1 + (i % 2),
  agency: 1 + (i % 3 === 0 ? 1 : 0),
  arrival: `2027-0${1 + (i % 4)}-1${i % 7}`,
  nights: 1 + ((i * 5) % 9),
  status: ['asked', 'booked', 'cancelled'][i % 3] as string,
  note: i % 4 === 0 ? null : `Note ${i % 5}`,
  payment: i % 2 === 0 ? { by: 'card', last: `100${i % 10}` } : { by: 'invoice', to: 'Accounts', days: 30 },
  changed: 1,
}))

const text = { kind: 'text' } as const
const integer = { kind: 'integer' } as const
const maybe = { kind: 'text', nullable: true } as const

function tables() {
  const datastore = memoryDatastore({
    hotels: {
      columns: {
        ...{ code: text, name: text, stars: integer, rating: { kind: 'decimal', nullable: true } },
        ...{ opened: { kind: 'date', nullable: true }, street: maybe, city: maybe, version: integer },
      },
      key: ['code'],
      rows: HOTELS,
    },
    bookings: {
      columns: {
        ...{ id: { kind: 'integer', generated: true }, hotel: text, floor: integer, room: integer, agency: integer },
        ...{ arrival: { kind: 'date' }, nights: integer, status: text, note: maybe },
        ...{ payment: { kind: 'json', nullable: true }, changed: integer },
      },
      key: ['id'],
      rows: BOOKINGS,
    },
  } as never)
  return {
    hotels: resource(datastore, Hotel, {
      table: 'hotels' as never,
      version: 'version' as never,
      attributes: { address: { street: 'street', city: 'city' } } as never,
    }),
    bookings: resource(datastore, Booking, {
      table: 'bookings' as never,
      version: 'changed' as never,
      scope: ({ principal, request }: Context & { principal: Agency }) => {
        const { hotel, floor, room } = request.params as Json
        return { agency: principal.agency, ...(hotel !== undefined && { hotel, floor, room }) } as never
      },
    } as never) as any,
  }
}

const roomsOf = (hotel: string): Json[] =>
  [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    floor: 1 + (number % 3),
    number: number < 4 ? 1 : 2,
    beds: 1 + (number % 4),
    price: `${number * 37 + hotel.length}.50`,
    features: number % 2 === 0 ? { view: 'sea' } : {},
    checkin: number % 3 === 0 ? null : `1${number}:30:00`,
  }))

const guestsOf = (of: number): Json[] =>
  Array.from({ length: of % 5 }, (_, i) => ({ id: of * 10 + i, name: `Guest ${i}`, born: null, languages: ['de'] }))

function actsOf({ hotels, bookings }: ReturnType<typeof tables>, { rooms, guests, photos }: Shelves): Acts {
  let next = 1000
  const roomAt = ({ hotel, floor, number }: Json): Json | undefined =>
    rooms.get(hotel)?.find((one) => one['floor'] === floor && one['number'] === number)
  const guestsAt = ({ booking }: Json): Json[] => {
    const known = guests.get(String(booking)) ?? []
    guests.set(String(booking), known)
    return known
  }
  const listOf = async (list: any, of: any, { request, reply }: any): Promise<unknown> =>
    reply.ok(list.answer(request, await of.list(request)))
  return {
    HotelsV1: {
      index: async (_, { request, reply }) => reply.ok(await hotels.list(request)),
      show: async ({ code: at }, { request, reply }) => found(reply, await hotels.find(at, request)),
    },
    Hotels: {
      index: async (_, { request, reply }) => reply.ok(await hotels.list(request)),
      search: (_, context) => listOf(hotelSearch, hotels, context),
      show: async ({ code: at }, { request, reply }) => found(reply, await hotels.find(at, request)),
      async create(_, { request, reply, href }) {
        const { code: at } = request.payload
        if (await hotels.find(at)) return reply.conflict(`There is a hotel ${at}.`)
        await hotels.create({ ...request.payload, version: 1 })
        rooms.set(at, [])
        return reply.created(await hotels.find(at), { location: href(Hotels, { code: at }) })
      },
      async change({ code: at }, { request, reply }) {
        const changed = await hotels.update(at, request.payload, { request })
        return found(reply, changed ? await hotels.find(at, request) : undefined)
      },
      async remove({ code: at }, { reply }) {
        rooms.delete(at)
        return (await hotels.delete(at)) ? reply.noContent() : reply.notFound()
      },
    },
    Rooms: {
      index({ hotel }, { request, reply }) {
        const all = rooms.get(hotel)
        return all ? reply.ok(roomList.answer(request, roomList.page(request, all as never))) : reply.notFound()
      },
      show: (at, { reply }) => found(reply, roomAt(at)),
      create({ hotel }, { request, reply }) {
        const { payload } = request
        if (roomAt({ hotel, ...payload })) return reply.conflict('There is such a room.')
        const all = rooms.get(hotel)
        all?.push({ features: {}, checkin: null, ...payload })
        return all ? reply.created(roomAt({ hotel, ...payload })) : reply.notFound()
      },
      replace(at, { request, reply }) {
        const room = roomAt(at)
        if (room) Object.assign(room, { features: {}, checkin: null }, request.payload)
        return found(reply, room)
      },
      remove({ hotel, ...at }, { reply }) {
        const all = rooms.get(hotel) ?? []
        const i = all.indexOf(roomAt({ hotel, ...at }) as Json)
        if (i >= 0) all.splice(i, 1)
        return i < 0 ? reply.notFound() : reply.noContent()
      },
      photo({ hotel, floor, number }, { reply }) {
        return found(reply, photos.get(`${hotel} ${floor} ${number}`))
      },
      async portray(at, { request, reply }) {
        if (roomAt(at) === undefined) return reply.notFound()
        photos.set(`${at.hotel} ${at.floor} ${at.number}`, await request.payload.image.bytes())
        return reply.noContent()
      },
    },
    Bookings: {
      async index(at, context) {
        if (roomAt({ ...at, number: at.room }) === undefined) return context.reply.notFound()
        return listOf(bookingList, bookings.within(context), context)
      },
      async show(at, context) {
        const isThere = roomAt({ ...at, number: at.room }) !== undefined
        return found(context.reply, isThere ? await bookings.within(context).find(at.id, context.request) : undefined)
      },
      async create(at, context) {
        const { request, reply, href } = context
        if (roomAt({ ...at, number: at.room }) === undefined) return reply.notFound()
        const own = bookings.within(context)
        const { id: made } = await own.create({ ...request.payload, status: 'asked', changed: 1 })
        return reply.created(await own.find(made), { location: href(Bookings, { ...at, id: made }) })
      },
      async change(at, context) {
        const { request, reply } = context
        const own = bookings.within(context)
        const isThere = roomAt({ ...at, number: at.room }) !== undefined
        const changed = isThere && (await own.update(at.id, request.payload, { request }))
        return found(reply, changed ? await own.find(at.id, request) : undefined)
      },
      async cancel(at, context) {
        const isThere = roomAt({ ...at, number: at.room }) !== undefined
        const isGone = isThere && (await bookings.within(context).delete(at.id))
        guests.delete(String(at.id))
        return isGone ? context.reply.noContent() : context.reply.notFound()
      },
    },
    Guests: {
      index: within((at, { request, reply }) =>
        reply.ok(guestList.answer(request, guestList.page(request, guestsAt(at) as never))),
      ),
      show: within((at, { reply }) =>
        found(
          reply,
          guestsAt(at).find((one) => one['id'] === at.id),
        ),
      ),
      create: within((at, { request, reply }) => {
        const made = { born: null, ...request.payload, id: next++ }
        guestsAt(at).push(made)
        return reply.created(made)
      }),
      leave: within((at, { reply }) => {
        const all = guestsAt(at)
        const i = all.findIndex((one) => one['id'] === at.id)
        if (i >= 0) all.splice(i, 1)
        return i < 0 ? reply.notFound() : reply.noContent()
      }),
    },
    Reports: { index: (_, context) => listOf(reportList, bookings.within(context), context) },
  }

  // Guests are those of a booking that the agency sees.
  function within(act: Act): Act {
    return async (at, context) => {
      const isThere = roomAt({ ...at, number: at.room }) !== undefined
      const booking = isThere && (await bookings.within(context).find(at.booking))
      return booking ? act(at, context) : context.reply.notFound()
    }
  }
}

const found = (reply: any, one: unknown): unknown => (one ? reply.ok(one) : reply.notFound())

/** A fault in the functions of the bookings. */
export type Change = (acts: Acts, shelves: Shelves) => Acts

/** The agencies. */
export const agencies = { north: { 'X-Agency-Key': 'key-1' }, south: { 'X-Agency-Key': 'key-2' } }

/** Makes the application, with some of its functions replaced. */
export function booking(change: Change = (acts) => acts): Application {
  const { hotels, bookings } = tables()
  const shelves: Shelves = {
    rooms: new Map(HOTELS.map(({ code: one }) => [one, roomsOf(one)])),
    guests: new Map(BOOKINGS.map(({ id: of }) => [String(of), guestsOf(of)])),
    photos: new Map(),
  }
  const acts = change(actsOf({ hotels, bookings }, shelves), shelves)
  const definitions: Record<string, any> = { HotelsV1, Hotels, Rooms, Bookings, Guests, Reports }
  return application({
    title: 'Bookings',
    controllers: Object.entries(definitions).map(([name, one]) => one.implement(acts[name] as never)),
    plugins: [
      mapper({ resources: { hotels, bookings } as never }),
      pagination(),
      conditional(),
      idempotency(memoryStore(), { identify: ({ agency }: any) => agency }),
    ],
    verifiers: [verifier(Key, (key) => (/^key-[12]$/.test(key) ? { agency: Number(key.at(-1)) } : undefined))],
    logger: { info() {}, warn() {}, error() {} },
  }) as Application
}
