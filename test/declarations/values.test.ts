// Declarations are values: frozen, untouched by what becomes of the objects they were given, and shared by applications.
import { application, controller, endpoint, mediaType, need, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const attributes = { id: t.integer({ required: true }), title: t.string() }
const Book = mediaType('Book', { attributes, views: { short: ['id'] } })
const actions = {
  show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book } },
} as const
const Books = endpoint('Books', { mediaType: Book, actions })
const books = controller(Books, {
  show: ({ id }, { reply }) => reply.ok({ id: id ?? 0, title: 'Emma' }),
})

describe('a declaration', () => {
  it.each<[string, object]>([
    ['an attribute', t.string({ max: 3 })],
    ['a structure', t.object(attributes)],
    ['a media type', Book],
    ['a view', Book.view('short')],
    ['a route', route.get('/')],
    ['an endpoint', Books],
    ['a controller', books],
    ['a controller with a callback', books.before('action', () => undefined)],
    ['a need', need(() => 1)],
  ])('is a frozen value: %s', (_, value) => {
    expect(Object.isFrozen(value)).toBe(true)
  })

  it('is untouched by callbacks, which make another controller', async () => {
    const stopped = books.before('action', () => {
      throw new Error('stopped')
    })
    expect(stopped).not.toBe(books)
    expect((await ask(application({ controllers: [books] }), 'GET /books/1')).status).toBe(200)
  })

  it('is shared by applications that differ in everything else', async () => {
    const one = application({ controllers: [books], limits: { queryPairs: 1 } })
    const other = application({ controllers: [books], limits: { queryPairs: 3 } })
    const path = 'GET /books/1?a=1&b=2'
    expect([(await ask(one, path)).json.code, (await ask(other, path)).json.code]).toEqual([
      'malformed-query',
      'validation',
    ])
  })
})
