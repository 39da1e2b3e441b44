// For any params a QUERY and a POST give what a GET gives, on every engine: the same elements, or the same refusals.
import type { Application } from 'edict'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/ask.ts'
import { type OpenLibrary, shelves } from '../../support/library/open.ts'
import { runs } from '../../support/runs.ts'
import { applicationOf } from './design.ts'

const params = fc.record(
  {
    shelf: fc.constantFrom('1', '20', 'x', '', '1.5'),
    kinds: fc.array(fc.constantFrom('novel', 'essay', 'poems', 'map'), { minLength: 2, maxLength: 3 }),
    fields: fc.constantFrom('id', 'id,title', 'author{name},id', 'nope', 'id{', ''),
    filters: fc.constantFrom(
      'id>3',
      'title=*a*',
      'pages!!',
      'pages>=200&id<40',
      'kind=novel|id=1,2,3',
      'id=',
      'nope=1',
      '',
    ),
    pagination: fc.constantFrom(
      'items=3',
      'page=2,items=4',
      'by=title,items=5',
      'total_count=true',
      'page=0',
      'by=nope',
      'x',
    ),
    order: fc.constantFrom('id', '-title', 'pages,-id', '-price', 'nope', ''),
    stray: fc.constantFrom('1', ''),
  },
  { requiredKeys: [] },
)

const paired = (asked: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : (value ?? []).map((one) => [`${name}[]`, one]),
    ),
  )

const issuesOf = (json: any): unknown =>
  json.errors?.map(({ pointer, code, message }: any) => [pointer, code, message]) ?? json.code

const opened = (await shelves()).filter(({ name }) => name.startsWith('Drizzle') || name === 'memory')

describe.each(opened)('in $name', { timeout: 120_000 }, (shelf) =>
  shelf.describe((open) => {
    let library: OpenLibrary
    let app: Application

    beforeAll(async () => {
      library = await open()
      app = applicationOf(library.library)
    })
    afterAll(() => library.close())

    it('[LST-13] GET, QUERY and a declared POST give the same elements and the same refusals', async () => {
      await fc.assert(
        fc.asyncProperty(params, async (asked) => {
          const get = await ask(app, `GET /books?${paired(asked)}`)
          for (const line of ['QUERY /books', 'POST /books/search', 'QUERY /books/found'])
            for (const body of [asked, paired(asked)]) {
              const answer = await ask(app, line, { body })
              expect(answer.status).toBe(get.status)
              if (get.status === 200) expect(answer.json).toEqual(get.json)
              else expect(issuesOf(answer.json)).toEqual(issuesOf(get.json))
              expect(answer.headers['total-count']).toBe(get.headers['total-count'])
            }
        }),
        { numRuns: runs(8, 500) },
      )
    })

    it('[LST-13] a walk along links by QUERY and by POST gives what one by GET gives', async () => {
      const walks = fc.record(
        {
          filters: fc.constantFrom('id>3', 'title=*a*', `id=${Array.from({ length: 700 }, (_, i) => i + 1).join(',')}`),
          order: fc.constantFrom('-id', 'title', 'pages,-id', '-price'),
          pagination: fc.constantFrom('items=3', 'page=1,items=7', 'by=id,items=4'),
        },
        { requiredKeys: ['pagination'] },
      )
      await fc.assert(
        fc.asyncProperty(walks, async ({ order, ...rest }) => {
          const asked = { ...rest, ...(order !== undefined && !rest.pagination.startsWith('by') && { order }) }
          const expected = await walked(app, 'GET', '/books', asked)
          for (const [method, path] of [
            ['QUERY', '/books'],
            ['POST', '/books/search'],
            ['QUERY', '/books/found'],
          ] as const)
            expect(await walked(app, method, path, asked)).toEqual(expected)
        }),
        { numRuns: runs(2, 100) },
      )
    })
  }),
)

async function walked(
  app: Application,
  method: string,
  path: string,
  asked: Readonly<Record<string, string>>,
): Promise<number[]> {
  const ids: number[] = []
  let target = method === 'GET' ? `${path}?${paired(asked)}` : path
  while (target !== '') {
    const page = await ask(app, `${method} ${target}`, method === 'GET' ? {} : { body: asked })
    expect(page.status).toBe(200)
    ids.push(...page.json.map(({ id }: { id: number }) => id))
    target = /<([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? ''
  }
  return ids
}
