// Attributes that some clients see only: answers, payloads, tags and recorded answers, documents, contract, mock and client.
import {
  application,
  collectionOf,
  diffContracts,
  endpoint,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { cacheControl } from 'edict/cache'
import { client } from 'edict/client'
import { checkConditions, conditional, etag, lastModified } from 'edict/conditional'
import { idempotency, idempotent } from 'edict/idempotency'
import { FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { memoryStore } from 'edict/stores'
import { type Audience, audience, type Membership, members, visibility, visibleTo } from 'edict/visibility'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

interface User {
  readonly id: string
  readonly roles: readonly string[]
}

const Token = security.bearer<User>('Token')
const Staff = audience<User>('staff')
const Board = audience<User>('board')

const Person = mediaType('Person', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    wage: visibleTo(Staff, t.integer({ required: true, description: 'Before taxes' })),
    bonus: visibleTo([Board, Staff], t.integer()),
    changed_at: t.dateTime(),
  },
})

const People = endpoint('People', {
  mediaType: Person,
  actionDefaults: { security: [Token, 'none'] },
  actions: {
    index: {
      routing: route.get('/'),
      params: { filters: FilteringParams.for(Person), order: OrderingParams.for(Person) },
      responses: { ok: collectionOf(Person) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      policies: [etag('id'), lastModified('changed_at')],
      responses: { ok: Person },
    },
    create: {
      routing: route.post('/'),
      payload: { name: inherit, wage: inherit, bonus: t.integer() },
      policies: [idempotent({ keep: '1h' })],
      responses: { created: Person },
    },
  },
})

const was = new Date('2026-01-02T03:04:05Z')
const ada = { id: 1, name: 'Ada', wage: 4200, bonus: 17, changed_at: was }

/** Tells by the token: the user, and the roles behind it. */
const known = verifier(Token, (token) => {
  const [id = '', ...roles] = token.split('.')
  return { id, roles }
})
const isIn = (name: string) => (user: User) => user.roles.includes(name)
const all = [members(Staff, isIn('staff')), members(Board, isIn('board'))]

const people = People.implement({
  index: (_, { reply }) => reply.ok([ada]),
  show: (_, { request, reply }) => {
    checkConditions(request, ada)
    return reply.ok(ada)
  },
  create: (_, { request, reply }) => reply.created({ ...ada, ...request.payload }),
})

const served = (memberships: readonly Membership[] = all) =>
  application({
    controllers: [people],
    plugins: [mapper(), pagination(), conditional(), idempotency(memoryStore()), visibility(memberships)],
    verifiers: [known],
    logger: recorder(),
  })

const as = (token: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
})

describe('[AUT-03] attributes that some clients see only', () => {
  const app = served()

  it('are left out of responses to others, anonymous clients among them', async () => {
    expect((await ask(app, 'GET /people')).json).toEqual([{ id: 1, name: 'Ada', changed_at: was.toJSON() }])
    expect((await ask(app, 'GET /people/1', as('eve'))).json).toEqual({ id: 1, name: 'Ada', changed_at: was.toJSON() })
    expect((await ask(app, 'GET /people/1', as('bob.board'))).json).toMatchObject({ bonus: 17 })
    expect((await ask(app, 'GET /people/1', as('bob.board'))).text).not.toContain('wage')
    expect((await ask(app, 'GET /people/1', as('ann.staff'))).json).toMatchObject({ wage: 4200, bonus: 17 })
  })

  it('are no fields of orders and filters, in the words for fields that there are not', async () => {
    for (const query of ['order=wage', 'filters=wage=1', 'filters=bonus!', 'order=name,-bonus']) {
      const unknown = query.replace(/wage|bonus/, 'nought')
      const [seen, other] = [await ask(app, `GET /people?${query}`), await ask(app, `GET /people?${unknown}`)]
      expect(seen.status).toBe(400)
      expect(seen.text.replace(/wage|bonus/g, 'nought')).toBe(other.text)
      expect((await ask(app, `GET /people?${query}`, as('ann.staff'))).status).toBe(200)
    }
  })

  it('are refused in payloads of others like any unknown attribute, and required of those who see them', async () => {
    const create = (token: string, body: object) => ask(app, 'POST /people', { ...as(token), body })
    expect((await create('eve', { name: 'Bo' })).status).toBe(201)
    expect((await create('eve', { name: 'Bo', wage: 1 })).json.errors).toMatchObject([
      { pointer: '/wage', code: 'unknown' },
    ])
    expect((await create('ann.staff', { name: 'Bo' })).json.errors).toMatchObject([
      { pointer: '/wage', code: 'missing' },
    ])
    expect((await create('ann.staff', { name: 'Bo', wage: 2 })).json).toMatchObject({ wage: 2 })
    // A payload that declares an attribute itself takes it from everybody; the answer is another matter.
    const sent = await create('eve', { name: 'Bo', bonus: 3 })
    expect(sent.status).toBe(201)
    expect(sent.text).not.toContain('bonus')
  })

  it('must be there for those who see them, and for nobody else', async () => {
    const bare = application({
      controllers: [
        People.implement({
          ...people.implementation,
          index: (_: object, { reply }: any) => reply.ok([{ id: 1, name: 'Bo' }]),
        } as never),
      ],
      plugins: [mapper(), pagination(), conditional(), idempotency(memoryStore()), visibility(all)],
      verifiers: [known],
      logger: recorder(),
    })
    expect((await ask(bare, 'GET /people', as('eve'))).status).toBe(200)
    expect((await askFetch(bare, 'GET /people', as('ann.staff'))).status).toBe(500)
  })

  it('have tags of their own, so that nobody is informed that the version of another is still good', async () => {
    const tagOf = async (token: string) => (await ask(app, 'GET /people/1', as(token))).headers['etag'] as string
    const [staff, other, board] = [await tagOf('ann.staff'), await tagOf('eve'), await tagOf('bob.board')]
    expect(other).toBe('"1"')
    expect(new Set([staff, other, board]).size).toBe(3)
    const status = async (token: string, tag: string) =>
      (await ask(app, 'GET /people/1', as(token, { 'if-none-match': tag }))).status
    expect(await status('eve', other)).toBe(304)
    expect(await status('eve', staff)).toBe(200)
    expect(await status('ann.staff', staff)).toBe(304)
    expect(await status('ann.staff', other)).toBe(200)
    expect(await status('ann.staff', `${staff.slice(0, -1)};gzip"`)).toBe(304)
    // A timestamp cannot depend on what a client sees.
    const since = as('eve', { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' })
    expect((await ask(app, 'GET /people/1', since)).status).toBe(200)
  })

  it('are kept by no shared cache', async () => {
    const { headers } = await ask(app, 'GET /people')
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', vary: 'Authorization' })
  })

  it('are not in recorded responses to a client that sees them no more', async () => {
    const sent = (token: string) =>
      askFetch(app, 'POST /people', { ...as(token, { 'idempotency-key': 'k1' }), body: { name: 'Bo', bonus: 1 } })
    const seeing = { ...as('cy.board', { 'idempotency-key': 'k1' }), body: { name: 'Bo', bonus: 1 } }
    expect((await askFetch(app, 'POST /people', seeing)).text).toContain('bonus')
    expect((await askFetch(app, 'POST /people', seeing)).text).toContain('bonus')
    const replayed = await sent('cy')
    expect(replayed.status).toBe(422)
    expect(replayed.text).not.toContain('bonus')
  })

  it('stay hidden when the test of an audience fails or is no plain true', async () => {
    for (const answer of ['yes', 1, Promise.resolve(true), {}]) {
      const vague = served([members(Staff, () => answer as never), members(Board, () => false)])
      expect((await askFetch(vague, 'GET /people/1', as('ann.staff'))).text).not.toContain('wage')
    }
    const broken = served([
      members(Staff, () => {
        throw new Error('the directory is down')
      }),
      members(Board, () => false),
    ])
    const answer = await askFetch(broken, 'GET /people/1', as('ann.staff'))
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('4200')
  })
})

describe('[AUT-03] what says that an attribute is for some', () => {
  const app = served()

  it('documents do, and do not require it', () => {
    const document: any = app.openapi()
    const schema = document.components.schemas.Person
    expect(schema.required).toEqual(['id', 'name'])
    expect(schema.properties.wage).toMatchObject({
      'x-visible-to': ['staff'],
      description: 'Before taxes. Visible to `staff` only.',
    })
    expect(schema.properties.bonus['x-visible-to']).toEqual(['board', 'staff'])
    const { parameters, requestBody } = { ...document.paths['/people'].get, ...document.paths['/people'].post } as any
    expect(JSON.stringify(document.paths['/people'].get.parameters)).toContain('for `staff` only')
    const { $ref } = requestBody.content['application/json'].schema
    const sent = document.components.schemas[$ref.split('/').at(-1)]
    expect(sent.required).toEqual(['name'])
    expect(sent.properties.wage['x-visible-to']).toEqual(['staff'])
    expect(parameters).toBeDefined()
  })

  it('contracts do, and fewer who see it break clients', () => {
    const contract = (to: readonly Audience[]) => {
      const Book = mediaType('Book', {
        attributes: { id: t.integer(), price: to.length === 0 ? t.integer() : visibleTo(to, t.integer()) },
      })
      const Books = endpoint('Books', {
        mediaType: Book,
        actions: { show: { routing: route.get('/'), responses: { ok: Book } } },
      })
      return application({
        controllers: [Books.implement({ show: (_, { reply }) => reply.ok({}) })],
        plugins: [visibility(all)],
      }).contract()
    }
    const kinds = (old: readonly Audience[], now: readonly Audience[]) =>
      diffContracts(contract(old), contract(now))
        .filter(({ rule }) => rule.startsWith('visibility'))
        .map(({ kind }) => kind)
    expect(kinds([], [])).toEqual([])
    expect(kinds([], [Staff])).toEqual(['breaking'])
    expect(kinds([Staff], [])).toEqual(['compatible'])
    expect(kinds([Staff], [Staff, Board])).toEqual(['compatible'])
    expect(kinds([Staff, Board], [Staff])).toEqual(['breaking'])
    expect(kinds([Staff], [Board])).toEqual(['breaking'])
  })

  it('a mock shows it to clients that send credentials', async () => {
    const mocked = mock([People])
    expect((await ask(mocked, 'GET /people')).text).not.toContain('wage')
    expect((await ask(mocked, 'GET /people', as('any'))).text).toContain('wage')
    expect((await askFetch(mock(app), 'GET /people', as('any'))).text).toContain('wage')
  })

  it('the typed client reads responses with and without it', async () => {
    const callsAs = (headers: Record<string, string>) =>
      client({ People }, { baseUrl: 'http://api', headers, fetch: (request) => app.fetch(request) }).People
    const anonymous = await callsAs({}).show({ id: 1 })
    expect(anonymous.name === 'ok' && anonymous.body).toEqual({ id: 1, name: 'Ada', changed_at: was })
    const seeing = await callsAs(as('ann.staff').headers).show({ id: 1 })
    expect(seeing.name === 'ok' && seeing.body.wage).toBe(4200)
  })
})

describe('[AUT-03] mistakes with attributes that some clients see only', () => {
  const Wage = visibleTo(Staff, t.integer())
  const problems = (spec: object, attributes: object = {}, plugins = [visibility(all)]) => {
    const Book = mediaType('Book', { attributes: { id: t.integer(), wage: Wage, ...attributes } })
    const action = typeof spec === 'function' ? spec(Book) : spec
    const Books: any = endpoint('Books', {
      mediaType: Book,
      actions: { show: { routing: route.get('/'), responses: { ok: Book }, ...action } },
    } as never)
    const boot = () =>
      application({
        controllers: [Books.implement({ show: () => undefined })],
        plugins: [mapper(), pagination(), conditional(), ...plugins],
      })
    return mistakesOf(boot).map(({ problem }) => problem)
  }

  it('are refused at boot', () => {
    expect(problems({})).toEqual([])
    expect(problems({}, {}, [])).toEqual(["nothing decides who belongs to the audience 'staff'"])
    expect(problems({}, {}, [visibility([all[0] as Membership, all[0] as Membership])])).toEqual([
      "the audience 'staff' is listed twice",
    ])
    expect(problems({}, {}, [visibility('staff' as never)])).toHaveLength(2)
    expect(problems({}, { a: visibleTo([], t.integer()) })[0]).toBe('it is visible to no audience')
    expect(problems({}, { a: visibleTo('staff' as never, t.integer()) })[0]).toMatch(/^it is visible to /)
    expect(problems({}, { a: visibleTo(Staff, 5 as never) })[0]).toMatch(/^visibleTo is given /)
    expect(problems({}, { a: visibleTo(Board, Wage) })[0]).toBe('it is restricted twice')
    expect(problems({}, { a: t.ref(Wage, { required: true }) })[0]).toBe(
      'it is required, and some clients do not see it',
    )
  })

  it('are refused where something that everybody gets would tell of them', () => {
    expect(problems({ policies: [etag('wage')] })[0]).toContain('only some clients see')
    expect(problems({ policies: [cacheControl({ visibility: 'public', maxAge: 60 })] })[0]).toContain('shared caches')
    expect(problems({ responses: { ok: { mediaType: t.array(Wage) } } })[0]).toContain('see its body')
    expect(problems({ routing: route.get('/:wage'), params: { wage: inherit } })[0]).toContain('it is in the path')
    const params = (make: (Book: any) => object) => (Book: any) => ({ params: make(Book) })
    const order = params((Book) => ({ order: OrderingParams.for(Book, { default: ['wage'] } as never) }))
    expect(problems(order)[0]).toContain("the default orders by 'wage', which some clients do not see")
    const by = params((Book) => ({ pagination: PaginationParams.for(Book, { default: { by: 'wage' } } as never) }))
    expect(problems(by)[0]).toContain("the default goes by 'wage', which some clients do not see")
    const key = params((Book) => ({ pagination: PaginationParams.for(Book, { key: ['wage'] } as never) }))
    expect(problems(key)[0]).toContain("the key has 'wage', which some clients do not see")
    const Keyed = mediaType('Keyed', { attributes: { id: visibleTo(Staff, t.integer()) } })
    const store = memoryDatastore({ keyed: { columns: { id: { kind: 'integer' } }, key: ['id'], rows: [] } })
    const resources = [resource(store, Keyed, { table: 'keyed' })]
    const boot = () =>
      application({ controllers: [people], plugins: [mapper({ resources }), visibility(all)], verifiers: [known] })
    expect(mistakesOf(boot).map(({ problem }) => problem)).toContain(
      'lists are ordered by the key, which some clients do not see',
    )
  })
})
