// Boards with cards, written by hand: opaque keys in a header of their own, envelopes in several forms, pages by number, viewers
// that see stars of their own. It has no fault, or the one that is named.
import { randomBytes } from 'node:crypto'
import { type Application, application, childOf, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { convention, pagination } from 'edict/pagination'

interface Member {
  readonly mail: string
  readonly phrase: string
}

interface BoardRow {
  code: string
  name: string
  about: string | null
  readonly owner: string
  readonly fans: Set<string>
}

interface CardRow {
  readonly board: string
  readonly number: number
  text: string
  weight: number
  readonly owner: string
}

const Key = security.apiKey<{ readonly mail: string }>('Key', { in: 'header', name: 'X-Key' })

const Board = mediaType('Board', {
  attributes: {
    code: t.string({ required: true }),
    name: t.string({ required: true, min: 1, max: 60 }),
    about: t.string({ required: true, nullable: true, max: 200 }),
    starred: t.boolean({ required: true }),
    stars: t.integer({ required: true }),
  },
})

const Card = mediaType('Card', {
  attributes: {
    number: t.integer({ required: true }),
    text: t.string({ required: true, min: 1, max: 80 }),
    weight: t.integer({ required: true, min: 0, max: 99 }),
  },
})

const required = { required: true } as const
const mail = t.string({ required: true, min: 3, max: 80 })
const phrase = t.string({ required: true, min: 4, max: 80 })
const oneBoard = t.object({ data: t.ref(Board, required), meta: t.object({ at: t.dateTime(required) }, required) })
const oneCard = t.object({ result: t.object({ item: t.ref(Card, required), draft: t.boolean() }, required) })

const boardList = convention({
  name: 'numbered',
  params: { page: 'page', size: 'items' },
  body: { data: 'elements', meta: { count: 'total' } },
}).for(Board, { key: ['code'], order: ['code'] })

const Members = endpoint('Members', {
  actions: {
    join: {
      routing: route.post('/'),
      payload: { data: t.object({ mail, phrase, note: t.string({ max: 20 }) }, required) },
      responses: { created: t.object({ data: t.object({ mail }, required) }), conflict: true },
    },
  },
})

const Sessions = endpoint('Sessions', {
  actions: {
    open: {
      routing: route.post('/'),
      payload: { data: t.object({ mail, phrase }, required) },
      responses: { created: t.object({ data: t.object({ key: t.string(required) }, required) }), unauthorized: true },
    },
  },
})

const code = t.string()

const Boards = endpoint('Boards', {
  canonicalPath: 'see',
  actionDefaults: { security: Key },
  actions: {
    all: { routing: route.get('/'), params: boardList.params, responses: { ok: boardList.body } },
    add: {
      routing: route.post('/'),
      payload: {
        data: t.object(
          { name: Board.attributes.name, about: t.ref(Board.attributes.about, { required: false }) },
          required,
        ),
      },
      responses: { created: oneBoard },
    },
    see: { routing: route.get('/:code'), params: { code }, responses: { ok: oneBoard, notFound: true } },
    edit: {
      routing: route.patch('/:code'),
      params: { code },
      payload: {
        data: t.object(
          {
            name: t.ref(Board.attributes.name, { required: false }),
            about: t.ref(Board.attributes.about, { required: false }),
          },
          required,
        ),
      },
      responses: { ok: oneBoard, notFound: true, forbidden: true },
    },
    drop: {
      routing: route.delete('/:code'),
      params: { code },
      responses: { noContent: true, notFound: true, forbidden: true },
    },
    star: { routing: route.put('/:code/star'), params: { code }, responses: { ok: oneBoard, notFound: true } },
  },
})

const number = t.integer()

const Cards = endpoint('Cards', {
  parent: childOf(Boards, { code: 'code' }),
  actionDefaults: { security: Key, responses: { notFound: true } },
  actions: {
    all: {
      routing: route.get('/'),
      responses: { ok: t.object({ results: t.object({ items: t.array(Card, required) }, required) }) },
    },
    add: {
      routing: route.post('/'),
      payload: {
        item: t.object({ text: Card.attributes.text, weight: t.integer({ min: 0, max: 99, default: 1 }) }, required),
      },
      responses: { created: oneCard },
    },
    see: { routing: route.get('/:number'), params: { number }, responses: { ok: oneCard } },
    drop: { routing: route.delete('/:number'), params: { number }, responses: { noContent: true, forbidden: true } },
  },
})

/** The faults that can be planted in the boards. */
export const boardFaults = [
  'a session opens with any phrase',
  'an attribute is missing',
  'pages begin one later',
  'the count is that of the page',
  'the order is not stable',
  'the size is ignored',
  'anybody drops a board',
  'keys are compared by their beginning',
  'a statement for each board',
  'an edit forgets the text about it',
  'a cache ignores the viewer',
  'dropping does nothing',
  'cards of other boards are shown',
] as const

type Fault = (typeof boardFaults)[number]

/** Boards, and the number of statements that their database has been sent. */
export interface Boards {
  readonly app: Application
  readonly statements: () => number
}

/** Makes boards, with a fault if one is named. */
export function makeBoards(fault?: Fault): Boards {
  const is = (one: Fault): boolean => fault === one
  const members: Member[] = []
  const keys = new Map<string, string>()
  const boards: BoardRow[] = []
  const cards: CardRow[] = []
  const seen = new Map<string, { data: ReturnType<typeof showBoard>; meta: { at: Date } }>()
  let statements = 0
  const read = <T>(rows: T[]): T[] => {
    statements++
    return rows
  }
  const findBoard = (wanted: string) => read(boards).find((one) => one.code === wanted)
  const findKey = (key: string) =>
    is('keys are compared by their beginning')
      ? [...keys].find(([one]) => one.slice(0, 6) === key.slice(0, 6))?.[1]
      : keys.get(key)
  const showBoard = ({ code, name, about, fans }: BoardRow, viewer: string) => ({
    code,
    name,
    about,
    starred: fans.has(viewer),
    stars: fans.size,
  })
  const wrapBoard = (board: BoardRow, viewer: string) => ({ data: showBoard(board, viewer), meta: { at: new Date(0) } })
  const showCard = ({ number, text, weight }: CardRow) => ({ number, text, weight })

  const app = application({
    controllers: [
      Members.implement({
        join(_, { request, reply }) {
          const { mail, phrase } = request.payload.data
          if (read(members).some((one) => one.mail === mail)) return reply.conflict()
          members.push({ mail, phrase })
          return reply.created({ data: { mail } })
        },
      }),
      Sessions.implement({
        open(_, { request, reply }) {
          const { mail, phrase } = request.payload.data
          const member = read(members).find((one) => one.mail === mail)
          const isRight = member?.phrase === phrase || is('a session opens with any phrase')
          if (member === undefined || !isRight) return reply.unauthorized()
          const key = randomBytes(12).toString('hex')
          keys.set(key, mail)
          return reply.created({ data: { key } })
        },
      }),
      Boards.implement({
        all(_, { request, reply, principal }) {
          const { page = 1, size = 20 } = request.params as { page?: number; size?: number }
          const rows = [...read(boards)]
          if (is('the order is not stable')) rows.sort(() => Math.random() - 0.5)
          else rows.sort((a, b) => (a.code < b.code ? -1 : 1))
          const from = (page - 1) * size + (is('pages begin one later') ? 1 : 0)
          const part = is('the size is ignored') ? rows : rows.slice(from, from + size)
          if (is('a statement for each board')) for (const one of part) findBoard(one.code)
          const data = part.map((one) => showBoard(one, principal.mail))
          const count = is('the count is that of the page') ? part.length : rows.length
          return reply.ok({ data, meta: { count } })
        },
        add(_, { request, reply, principal }) {
          const { name, about = null } = request.payload.data
          const board = {
            code: randomBytes(5).toString('hex'),
            name,
            about,
            owner: principal.mail,
            fans: new Set<string>(),
          }
          boards.push(board)
          return reply.created(wrapBoard(board, principal.mail))
        },
        see({ code }, { reply, principal }) {
          const kept = is('a cache ignores the viewer') ? seen.get(code) : undefined
          const board = findBoard(code)
          if (board === undefined) return reply.notFound()
          const shown = kept ?? wrapBoard(board, principal.mail)
          seen.set(code, shown)
          return reply.ok(shown)
        },
        edit({ code }, { request, reply, principal }) {
          const board = findBoard(code)
          if (board === undefined) return reply.notFound()
          if (board.owner !== principal.mail) return reply.forbidden()
          const { name, about } = request.payload.data
          if (name !== undefined) board.name = name
          if (about !== undefined && !is('an edit forgets the text about it')) board.about = about
          seen.delete(code)
          return reply.ok(wrapBoard(board, principal.mail))
        },
        drop({ code }, { reply, principal }) {
          const board = findBoard(code)
          if (board === undefined) return reply.notFound()
          if (board.owner !== principal.mail && !is('anybody drops a board')) return reply.forbidden()
          if (!is('dropping does nothing')) boards.splice(boards.indexOf(board), 1)
          return reply.noContent()
        },
        star({ code }, { reply, principal }) {
          const board = findBoard(code)
          if (board === undefined) return reply.notFound()
          board.fans.add(principal.mail)
          seen.delete(code)
          return reply.ok(wrapBoard(board, principal.mail))
        },
      }),
      Cards.implement({
        all({ code }, { reply }) {
          if (findBoard(code) === undefined) return reply.notFound()
          const own = read(cards).filter((one) => one.board === code || is('cards of other boards are shown'))
          return reply.ok({ results: { items: own.map(showCard) } })
        },
        add({ code }, { request, reply, principal }) {
          if (findBoard(code) === undefined) return reply.notFound()
          const { text, weight } = request.payload.item
          const card = { board: code, number: cards.length + 1, text, weight, owner: principal.mail }
          cards.push(card)
          return reply.created({ result: { item: showCard(card) } })
        },
        see({ code, number }, { reply }) {
          const card = findBoard(code) && read(cards).find((one) => one.board === code && one.number === number)
          return card ? reply.ok({ result: { item: showCard(card) } }) : reply.notFound()
        },
        drop({ code, number }, { reply, principal }) {
          const card = findBoard(code) && read(cards).find((one) => one.board === code && one.number === number)
          if (!card) return reply.notFound()
          if (card.owner !== principal.mail) return reply.forbidden()
          cards.splice(cards.indexOf(card), 1, { ...card, board: '' })
          return reply.noContent()
        },
      }),
    ],
    verifiers: [
      verifier(Key, (key) => {
        const mail = findKey(key)
        return mail === undefined ? undefined : { mail }
      }),
    ],
    plugins: [pagination({ maxItems: 50 })],
    logger: { info() {}, warn() {}, error() {} },
  }) as unknown as Application
  return { app: is('an attribute is missing') ? withoutAbout(app) : app, statements: () => statements }
}

// The proxy in front of the application leaves out nulls.
const withoutAbout = (app: Application): Application => ({
  ...app,
  async fetch(request) {
    const response = await app.fetch(request)
    const isShown = request.method === 'GET' && /\/boards\/[^/]+$/.test(new URL(request.url).pathname)
    if (!isShown || response.status !== 200) return response
    const { data, meta } = (await response.json()) as { data: { about?: unknown }; meta: unknown }
    if (data.about === null) delete data.about
    return Response.json({ data, meta })
  },
})

/** Gets keys for two members, as any client does. */
export async function openSessions({ fetch }: Pick<Application, 'fetch'>) {
  const send = async (path: string, data: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ data })
    return (await fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))).json()
  }
  const open = async (mail: string) => {
    const member = { mail, phrase: `the phrase of ${mail}` }
    await send('/members', member)
    return { 'X-Key': (await send('/sessions', member)).data.key as string }
  }
  return { ada: await open('ada@example.com'), grace: await open('grace@example.com') }
}
