// The cinema as a server: where its films are kept, the controllers, and the application.
import { application, controller, has, verifier } from 'edict'
import { mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { Card, Film, Films, Person, Screenings } from './design.ts'

const text = { kind: 'text' } as const
const integer = { kind: 'integer' } as const

export const datastore = memoryDatastore({
  people: { columns: { id: integer, name: text, born: { kind: 'date' } }, key: ['id'] },
  films: {
    columns: {
      id: { kind: 'integer', nullable: false },
      title: { kind: 'text', nullable: false },
      genre: text,
      year: integer,
      minutes: integer,
      rating: { kind: 'number' },
      released_at: { kind: 'dateTime' },
      tags: { kind: 'json' },
      studio_name: text,
      studio_city: text,
      director_id: integer,
    },
    key: ['id'],
  },
})

export const people = resource(datastore, Person, { table: 'people' })
export const films = resource(datastore, Film, {
  table: 'films',
  attributes: { director: one(people, { director_id: 'id' }) },
})

export const filmsController = controller(Films, {
  index: async (_, { request, reply }) => reply.ok(await films.list(request)),
  async show({ id }, { request, reply, principal }) {
    if (id < 1) return reply.forbidden('Numbers begin with 1.')
    const film = await films.find(id, request)
    if (film === undefined) return reply.notFound(principal.nickname)
    return reply.ok(film)
  },
  async create(_, { request, reply }) {
    const { title, genre } = request.payload
    const { id } = await films.create(request.payload)
    return reply.created({ id, title, ...(genre !== undefined && { genre }) }, { location: Films.toHref({ id }) })
  },
  async update({ id }, { request, reply }) {
    const { payload, headers } = request
    if (headers['If-Match'] === '"0"') return reply.tooMany(undefined, { headers: { 'Retry-After': '5' } })
    if (!(await films.update(id, payload))) return reply.notFound()
    return reply.ok({ id, title: has(payload, 'title') ? payload.title : '' })
  },
  remove: (_, { reply }) => reply.noContent(),
})

export const screeningsController = Screenings.implement({
  show: ({ film_id, id }) => `Screening ${id} of film ${film_id}`,
})

export const app = application({
  title: 'Cinema',
  controllers: [filmsController, screeningsController],
  plugins: [mapper({ resources: [people, films] }), pagination()],
  verifiers: [verifier(Card, (nickname) => ({ nickname }))],
})
