// Lists over HTTP, in every datastore: pagination, order, filters and fields become queries.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shelves } from './library/open.ts'
import { applicationOf } from './library/resources.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

for (const shelf of await shelves()) {
  describe(shelf.name, () => {
    let open: Awaited<ReturnType<typeof shelf.open>>
    let app: ReturnType<typeof applicationOf>
    beforeAll(async () => {
      open = await shelf.open()
      app = applicationOf(open.library)
    }, 60_000)
    afterAll(() => open?.close())

    async function get(path: string): Promise<Answer> {
      const answer = await app.fetch(new Request(`http://library${path}`))
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
    }

    test('[MAP-01] first look', async () => {
      const { status, headers, body } = await get(
        '/books?pagination=by=title,items=3,total_count=true&order=title,-added_at',
      )
      expect([status, body]).toMatchObject([200, expect.any(Array)])
      expect(headers.get('Total-Count')).toBe('47')
      expect(headers.get('Link')).toContain('rel="next"')
      const show = await get(
        '/books/3?fields=id,title,author{name,home},tags,reviews{stars,by{name}},label,shelf_mates',
      )
      expect(show.body).toMatchObject({ id: 3 })
      const filtered = await get(
        `/books?filters=${encodeURIComponent('tags=sql&reviews.stars>=3|author.name=Ada')}&fields=id`,
      )
      expect(filtered.status).toBe(200)
    })

    test('[PGN-14] walks', async () => {
      for (const [by, order] of [
        ['added_at', '-added_at,subtitle'],
        ['author.name', 'author.name,-pages'],
        ['subtitle', '-subtitle'],
      ]) {
        const seen: number[] = []
        let path: string | undefined = `/books?pagination=by=${by},items=4&order=${order}&fields=id`
        let last = ''
        while (path !== undefined) {
          const { body, headers, status } = await get(path)
          expect([status, body]).toMatchObject([200, expect.any(Array)])
          seen.push(...body.map(({ id }: { id: number }) => id))
          last = headers.get('Link') ?? ''
          path = /<([^>]*)>; rel="next"/.exec(last)?.[1]
        }
        const all = await get(`/books?pagination=items=100&order=${order}&fields=id`)
        expect(seen).toEqual(all.body.map(({ id }: { id: number }) => id))
        expect(new Set(seen).size).toBe(47)
        const back: number[] = []
        path = /<([^>]*)>; rel="prev"/.exec(last)?.[1]
        while (path !== undefined) {
          const { body, headers } = await get(path)
          back.unshift(...body.map(({ id }: { id: number }) => id))
          path = /<([^>]*)>; rel="prev"/.exec(headers.get('Link') ?? '')?.[1]
        }
        expect(back).toEqual(seen.slice(0, back.length))
        expect(back.length).toBe(44)
      }
    })
  })
}
