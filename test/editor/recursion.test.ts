// Media types that refer to themselves and to each other, by getters: the compilers know them, and so does the run time.
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { compilers, diagnose, writeProject } from '../../scripts/types/project.ts'

const folder = '.cache/editor/recursion'

const design = `import { application, collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { client } from 'edict/client'

export const Comment = mediaType('Comment', {
  attributes: {
    id: t.integer({ required: true }),
    text: t.string({ required: true }),
    get answers() {
      return t.array(Comment)
    },
  },
  views: { default: ['id', 'text', 'answers'], line: ['id', 'text'] },
})

export const Author = mediaType('Author', {
  attributes: {
    name: t.string({ required: true }),
    get books() {
      return t.array(Book)
    },
  },
  views: { default: ['name', 'books'] },
})

export const Book = mediaType('Book', {
  attributes: {
    title: t.string({ required: true }),
    get author() {
      return Author
    },
  },
  views: { default: ['title', 'author'] },
})

export const Comments = endpoint('Comments', {
  mediaType: Comment,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Comment) } },
    create: { routing: route.post('/'), payload: { text: inherit, answers: inherit }, responses: { created: Comment } },
  },
})

export const Books = endpoint('Books', {
  mediaType: Book,
  actions: { show: { routing: route.get('/:title'), params: { title: t.string() }, responses: { ok: Book } } },
})

export const comments = Comments.implement({
  index: (_, { reply }) => reply.ok([{ id: 1, text: 'a', answers: [{ id: 2, text: 'b', answers: [{ id: 3, text: 'c' }] }] }]),
  create(_, { request, reply }) {
    const { text, answers } = request.payload
    const deep: string | undefined = answers?.[0]?.answers?.[0]?.text
    return reply.created({ id: 1, text: deep ?? text })
  },
})

export const books = Books.implement({
  show: ({ title }, { reply }) => reply.ok({ title, author: { name: 'Austen', books: [{ title, author: { name: 'Austen' } }] } }),
})

export const app = application({ controllers: [comments, books] })

export async function deepest(): Promise<string | undefined> {
  const api = client({ Books, Comments }, { baseUrl: 'http://localhost', fetch: app.fetch })
  const list = await api.Comments.index({})
  return list.name === 'ok' ? list.body[0]?.answers?.[0]?.answers?.[0]?.text : undefined
}
`

const mistaken = `import { Comments } from './design.ts'

export default Comments.implement({
  index: (_, { reply }) => reply.ok([{ id: 1, text: 'a', answers: [{ id: 2, text: 'b', answers: [{ id: 3, text: 4 }] }] }]),
  create: (_, { reply }) => reply.created({ id: 1, text: 'a', answers: [{ id: 2 }] }),
})
`

const said = new Map<string, readonly string[]>()

beforeAll(() => {
  writeProject(folder, { 'design.ts': design, 'mistaken.ts': mistaken }, { declaration: false })
  for (const version of compilers)
    said.set(
      version,
      diagnose(version, folder).errors.filter((line) => line.startsWith(folder)),
    )
}, 120_000)

describe('media types that refer to themselves and to each other', () => {
  for (const version of compilers) {
    it(`[EDT-07] need no written type (TypeScript ${version})`, () => {
      expect(said.get(version)!.filter((line) => line.includes('design.ts'))).toEqual([])
    })

    it(`[EDT-07] are checked at every depth (TypeScript ${version})`, () => {
      const places = said.get(version)!.map((line) => /(\w+\.ts)\((\d+),/.exec(line)!.slice(1).join(' '))
      expect(places).toEqual(['mistaken.ts 4', 'mistaken.ts 5'])
    })
  }

  it('[EDT-07] are read when they are needed: bodies, payloads and documents have them', async () => {
    const { app, deepest } = await import(resolve(folder, 'design.ts'))
    expect(await deepest()).toBe('c')
    const payload = { text: 'a', answers: [{ id: 1, text: 'b', answers: [{ id: 2, text: 'c' }] }] }
    const request = new Request('http://localhost/comments', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(payload),
    })
    expect(await (await app.fetch(request)).json()).toEqual({ id: 1, text: 'c' })
    const book = await app.fetch(new Request('http://localhost/books/Emma'))
    expect(await book.json()).toEqual({
      title: 'Emma',
      author: { name: 'Austen', books: [{ title: 'Emma', author: { name: 'Austen' } }] },
    })
    expect(JSON.stringify(app.openapi())).toContain('#/components/schemas/Comment')
  })
})
