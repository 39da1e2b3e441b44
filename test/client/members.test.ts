// The members of calls: each has those that its action supports, and no others.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import { CallError, client } from 'edict/client'
import { expect, it } from 'vitest'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
const Author = mediaType('Author', { attributes: { name: t.string(), books: t.array(Book) } })
const Shelves = endpoint('Shelves', {
  mediaType: Author,
  actions: {
    own: { routing: route.get('/own'), responses: { ok: true } },
    remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
    lists: { routing: route.get('/lists'), responses: { ok: collectionOf(Author) } },
    lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Author, { as: 'ndjson' }) } },
    names: { routing: route.get('/names'), responses: { ok: t.array(t.string()) } },
    page: { routing: route.get('/page'), responses: { ok: t.object({ authors: t.ref(() => t.array(Author)) }) } },
    two: { routing: route.get('/two'), responses: { ok: t.object({ a: t.array(Book), b: t.array(Author) }) } },
    around: { routing: route.get('/around'), responses: { ok: t.object({ author: Author }) } },
    file: { routing: route.get('/file'), responses: { ok: 'image/png' } },
    text: { routing: route.get('/text'), responses: { ok: 'text/plain' } },
    csv: { routing: route.get('/csv'), responses: { ok: 'text/csv' } },
  },
})

const sent: string[] = []
const api = client(
  { Shelves },
  {
    baseUrl: 'http://shelves.test',
    fetch: async ({ url }) => {
      sent.push(url)
      return new Response('a,b', { headers: { 'Content-Type': 'text/csv' } })
    },
  },
).Shelves

it('[FRT-04] `all` and `pages` are on lists only', () => {
  const having = (name: string): string[] =>
    Object.entries(api).flatMap(([action, call]) => (name in call ? [action] : []))
  expect(having('all')).toEqual(['lists', 'names', 'page'])
  expect(having('pages')).toEqual(['lists', 'names', 'page'])
  expect(having('ok')).toEqual(Object.keys(Shelves.spec.actions))
})

it('[FRT-04] `stream` is for what can be read as a stream, and nothing is sent otherwise', async () => {
  for (const name of ['own', 'names', 'text', 'page'] as const)
    await expect(api[name]({}, { stream: true } as object)).rejects.toThrow(
      new CallError(`Shelves.${name}: no response can be read as a stream`),
    )
  expect(sent).toEqual([])
  const body = await api.csv.ok({}, { stream: true })
  expect(await new Response(body).text()).toBe('a,b')
  expect(sent).toEqual(['http://shelves.test/shelves/csv'])
})
