// The declarations of a cinema: what the tests of compilers and editors ask about, and what mistakes are made with.
import { collectionOf, endpoint, header, inherit, mediaType, route, security, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

export interface Member {
  readonly nickname: string
}

export const Card = security.bearer<Member>('Card')

/** Somebody who makes films. */
export const Person = mediaType('Person', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    born: t.date(),
  },
  views: { credit: ['id', 'name'] },
})

/** A film of the catalogue. */
export const Film = mediaType('Film', {
  attributes: {
    /** The number in the catalogue. */
    id: t.integer({ required: true }),
    /** The name on the poster. */
    title: t.string({ required: true, max: 100 }),
    genre: t.string({ values: ['drama', 'comedy'] }),
    year: t.integer({ nullable: true }),
    minutes: t.integer({ min: 1 }),
    rating: t.number(),
    released_at: t.dateTime(),
    tags: t.array(t.string()),
    studio: t.object({ name: t.string({ required: true }), city: t.string() }),
    director: Person.view('credit'),
  },
  views: { poster: ['id', 'title'], page: ['id', 'title', 'year', 'studio', 'director'] },
})

/** The films of the catalogue. */
export const Films = endpoint('Films', {
  mediaType: Film,
  actionDefaults: { params: { locale: t.string() }, responses: { forbidden: true } },
  actions: {
    /** Lists the films. */
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Film),
        filters: FilteringParams.for(Film, { title: {}, year: {}, 'director.name': {} }),
        order: OrderingParams.for(Film, { byFields: ['id', 'title', 'director.name'] }),
        pagination: PaginationParams.for(Film, { byFields: ['id', 'title'] }),
      },
      responses: { ok: collectionOf(Film, { view: 'page' }) },
    },
    /** Shows one film. */
    show: {
      routing: route.get('/:id', { name: 'film' }),
      params: { id: t.integer(), fields: FieldSelector.for(Film) },
      headers: { 'X-Trace': header() },
      security: Card,
      responses: {
        /** The film as it stands in the catalogue. */
        ok: Film,
        notFound: true,
      },
    },
    /** Adds a film. */
    create: {
      routing: route.post('/'),
      payload: { title: inherit, genre: inherit, year: inherit, studio: inherit },
      responses: { created: { location: /^\/films\/\d+$/, mediaType: Film }, conflict: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      headers: { 'If-Match': header() },
      payload: { title: inherit({ required: false }), tags: inherit },
      responses: {
        ok: Film.view('poster'),
        notFound: true,
        tooMany: { status: 429, headers: { 'Retry-After': true } },
      },
    },
    remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
  },
})

/** When a film is shown. */
export const Screenings = endpoint('Screenings', {
  parent: Films,
  actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
})
