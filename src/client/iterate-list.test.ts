// Pages of lists: links to other origins are rejected without a request, and cycles end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectionOf, endpoint, mediaType, route, t } from '../index.ts'
import { client } from './client.ts'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
const Books = endpoint('Books', {
  mediaType: Book,
  actions: { index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } } },
})

/** A server of pages: each number links to the next page, or to none. */
async function iterateAll(
  links: readonly (string | undefined)[],
  limit = 200,
): Promise<{ requestedUrls: string[]; error: unknown }> {
  const requestedUrls: string[] = []
  const api = client(
    { Books },
    {
      baseUrl: 'http://api.example/base',
      headers: { Authorization: 'Bearer secret', 'X-Api-Key': 'secret' },
      fetch: async (request) => {
        requestedUrls.push(request.url)
        if (requestedUrls.length > limit) throw new Error('the walk does not end')
        const page = Number(new URL(request.url).searchParams.get('page') ?? 0)
        const link = links[page]
        return new Response(JSON.stringify([{ id: page }]), {
          headers: {
            'Content-Type': 'application/vnd.book+json;type=collection',
            ...(link !== undefined && { Link: `<${link}>; rel="next"` }),
          },
        })
      },
    },
  )
  try {
    for await (const _ of api.Books.index.all({}));
    return { requestedUrls, error: undefined }
  } catch (error) {
    return { requestedUrls, error }
  }
}

describe('the pages of a list', () => {
  it.each([
    'http://evil.example/books?page=1',
    '//evil.example/books?page=1',
    'https://api.example/base/books?page=1',
    'http://api.example:8080/base/books?page=1',
    'http://user:word@api.example/base/books?page=1',
    'http://api.example.evil.example/books',
    '\\\\evil.example/books',
    'data:application/json,[]',
    'http://[',
  ])('[CLT-03] are not read from %s', async (link) => {
    const { requestedUrls, error } = await iterateAll([link])
    expect(requestedUrls).toHaveLength(1)
    expect(String(error)).toContain('Books.index links to another origin')
  })

  it('[CLT-03] are read from every link to the origin of the call', async () => {
    const links = [
      '/base/books?page=1',
      '?page=2',
      'http://api.example/base/books?page=3',
      'books?page=4#end',
      undefined,
    ]
    const { requestedUrls, error } = await iterateAll(links)
    expect([requestedUrls.length, error]).toEqual([5, undefined])
  })

  it('[CLT-03] end when their links lead in a circle of any length, wherever it begins', async () => {
    const cycles = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 20 }))
    await fc.assert(
      fc.asyncProperty(cycles, async ([before, length]) => {
        const total = before + length
        const links = Array.from({ length: total }, (_, i) => `?page=${i + 1 < total ? i + 1 : before}`)
        const { requestedUrls, error } = await iterateAll(links)
        expect(String(error)).toContain('links in a circle')
        expect(requestedUrls.length).toBeLessThanOrEqual(4 * total + 4)
      }),
      { numRuns: 30 },
    )
  })
})
