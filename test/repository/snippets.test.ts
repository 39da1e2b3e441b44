// The documentation is true: its blocks are what the files in docs/snippets hold and give, and what the pages claim beyond
// their blocks holds as well.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  checkSnippets,
  fillPage,
  formatDifference,
  listPages,
  listSnippets,
  type Outcome,
  parseRegions,
} from '../../scripts/snippets.ts'
import { withoutTables } from '../../scripts/tables.ts'
import { application, type Controller, controller, endpoint, mediaType, Responses, route, t } from '../../src/index.ts'
import { ask } from '../support/ask.ts'

const page = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const quiet = { info() {}, warn() {}, error() {} }

describe('the blocks of the pages', () => {
  let outcome: Outcome

  beforeAll(async () => {
    // Snippets that serve take a free port instead of 3000.
    vi.stubEnv('PORT', '0')
    outcome = await checkSnippets((name) => import(`../../docs/snippets/${name.slice(0, -3)}.ts`))
  }, 240_000)

  afterAll(async () => {
    vi.unstubAllEnvs()
    const { server } = await import('../../docs/snippets/readme.ts')
    await server.close()
  })

  it('every snippet runs, logs what its comments say and is shown', () => expect(outcome.problems).toEqual([]))

  it.each(listPages())('%s shows what its sources hold and give', (file) => {
    const found = outcome.pages.find((one) => one.file === file)
    expect(formatDifference(found?.before ?? '', found?.after ?? 'no such page')).toBe('')
  })

  it('a page has 60 lines at least, and at most 220 next to its generated tables', () => {
    const pages = listPages().filter((file) => /^docs\/(guide|migrating)\//.test(file) && !file.endsWith('README.md'))
    const lengthOf = (text: string): number => text.split('\n').length
    expect(pages.filter((file) => lengthOf(page(file)) < 60)).toEqual([])
    expect(pages.filter((file) => lengthOf(withoutTables(page(file))) > 221)).toEqual([])
  })

  it('the server of the page about serving drains, and says so', async () => {
    const { stop } = await import('../../docs/snippets/serving.ts')
    expect((await stop()).at(-1)).toBe('closed')
  })
})

describe('the checker', () => {
  const source = { regions: new Map([['one', 'const a = 1']]), shown: new Map([['two', '{}']]) }
  const sourceOf = (name: string) => (name === 'x.ts' ? source : undefined)
  const filled = (text: string) => fillPage('page.md', text, sourceOf)

  it('reads regions without their indentation and without lines for tools', () => {
    const text = '  // #region one\n  // @ts-expect-error why\n  const a = 1\n\n    b()\n  // #endregion\n'
    expect([...parseRegions(text)]).toEqual([['one', 'const a = 1\n\n  b()']])
  })

  it('fills code from regions and output from what was shown', () => {
    const { after, problems } = filled('```ts x.ts#one\nold\n```\n\n```json x.ts#two\n```\n')
    expect(problems).toEqual([])
    expect(after).toBe('```ts x.ts#one\nconst a = 1\n```\n\n```json x.ts#two\n{}\n```\n')
  })

  it('refuses code and responses without a source, and sources that do not exist', () => {
    expect(filled('```ts\nlet a\n```\n').problems).toHaveLength(1)
    expect(filled('```mts\nlet a\n```\n').problems).toHaveLength(1)
    expect(filled('```http\nGET /\n```\n').problems).toHaveLength(1)
    expect(filled("```text\nimport { t } from 'edict'\n```\n").problems).toHaveLength(1)
    expect(filled('```ts x.ts#three\n```\n').problems).toEqual(['page.md: x.ts#three does not exist'])
    expect(filled('```ts y.ts#one\n```\n').problems).toHaveLength(1)
    expect(filled('```sh\nnpm test\n```\n').problems).toEqual([])
  })

  it('shows a difference with its line', () => {
    expect(formatDifference('a\nb\nc', 'a\nx\nc')).toBe('-    2  b\n+    2  x')
  })

  it('knows every snippet', () => expect(listSnippets()).toContain('readme.ts'))
})

describe('tables of the pages', () => {
  const rows = (file: string): string[] =>
    page(file)
      .split('\n')
      .filter((line) => line.startsWith('|'))

  it('attributes.md lists every kind', () => {
    const text = rows('docs/guide/attributes.md').join('\n')
    expect(Object.keys(t).filter((kind) => !text.includes(`\`t.${kind}(`))).toEqual([])
    expect(Object.keys(t)).toHaveLength(18) // as the README says
  })
})

describe('what the pages claim next to their blocks', () => {
  const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }), title: t.string({ max: 5 }) } })

  it('attributes.md: patterns, characters and defaults', async () => {
    const made = endpoint('Made', {
      actions: {
        show: {
          routing: route.get('/'),
          params: {
            digits: t.string({ pattern: /\d+/ }),
            short: t.string({ max: 2 }),
            at: t.array(t.string(), { default: ['a'] }),
          },
          responses: { ok: t.any() },
        },
      },
    }).implement({ show: (params, { reply }) => reply.ok({ ...params, count: params.at.push('b') }) })
    const app = application({ controllers: [made] })
    expect((await ask(app, 'GET /made?digits=12a')).json.errors[0].code).toBe('pattern')
    expect((await ask(app, `GET /made?digits=${'1'.repeat(1001)}`)).json.errors[0].code).toBe('max-length')
    expect((await ask(app, 'GET /made?short=%F0%9F%93%9A%F0%9F%93%9A')).status).toBe(200)
    expect((await ask(app, 'GET /made?short=a%00')).json.errors[0].code).toBe('nul')
    expect((await ask(app, 'GET /made')).json).toEqual({ at: ['a', 'b'], count: 2 })
  })

  it('attributes.md: a pattern with a back-reference, and a default that does not fit, do not boot', () => {
    const boot = (attribute: typeof Book | ReturnType<typeof t.string>): unknown =>
      application({
        controllers: [
          endpoint('Bad', {
            actions: { show: { routing: route.get('/'), params: { attribute }, responses: { ok: true } } },
          }).implement({ show: () => '' }),
        ],
      })
    expect(() => boot(t.string({ pattern: /(a)\1/ }))).toThrow(/back-reference/)
    expect(() => boot(t.string({ default: 'long', max: 2 }))).toThrow(/default must have at most 2/)
  })

  it('inputs.md: bodies that are not read, missing, too large', async () => {
    const Bodies = endpoint('Bodies', {
      actions: {
        none: { routing: route.post('/none'), responses: { ok: true } },
        small: {
          routing: route.post('/small'),
          payload: { title: t.string({ required: true }) },
          bodyLimit: 20,
          responses: { ok: true },
        },
        value: { routing: route.post('/value'), payload: t.array(t.integer()), responses: { ok: true } },
        only: {
          routing: route.post('/only'),
          payload: { title: t.string() },
          consumes: ['application/json'],
          responses: { ok: true },
        },
      },
    })
    const text = (): string => 'read'
    const app = application({ controllers: [Bodies.implement({ none: text, small: text, value: text, only: text })] })
    expect((await ask(app, 'POST /bodies/none', { headers: { 'content-type': 'x/y' }, body: '{' })).status).toBe(200)
    expect((await ask(app, 'POST /bodies/small')).json.errors).toMatchObject([{ pointer: '/title', code: 'missing' }])
    expect((await ask(app, 'POST /bodies/small', { body: { title: 'x'.repeat(30) } })).status).toBe(413)
    expect((await ask(app, 'POST /bodies/value')).status).toBe(200)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'title=a' }
    expect((await ask(app, 'POST /bodies/only', form)).status).toBe(415)
    const many = `GET /bodies/none?${'a=1&'.repeat(201)}`.replace('GET', 'POST')
    expect((await ask(app, many)).json.code).toBe('malformed-query')
  })

  it('responses.md: texts, structures of errors, limits in production', async () => {
    const Forms = endpoint('Forms', {
      mediaType: Book,
      actions: {
        media: { routing: route.get('/media'), responses: { ok: Book } },
        plain: { routing: route.get('/plain'), responses: { ok: true } },
        text: { routing: route.get('/text'), responses: { ok: 'text/plain' } },
        error: { routing: route.get('/error'), responses: { conflict: true } },
        limit: { routing: route.get('/limit'), responses: { ok: Book } },
        cookies: { routing: route.get('/cookies'), responses: { noContent: true } },
      },
    })
    const forms = controller(Forms, {
      media: () => 'text' as never,
      plain: () => 'text' as never,
      text: () => 'text',
      error: (_, { reply }) => reply.conflict({ detail: 'why', secret: 1 }),
      limit: (_, { reply }) => reply.ok({ id: 1, title: 'too long' }),
      cookies: () => new Responses.NoContent({ headers: { 'Set-Cookie': ['a=1', 'b=2'] } }),
    })
    const app = application({ controllers: [forms], logger: quiet })
    expect((await ask(app, 'GET /forms/media')).status).toBe(500)
    expect((await ask(app, 'GET /forms/plain')).status).toBe(500)
    expect((await ask(app, 'GET /forms/text')).text).toBe('text')
    expect((await ask(app, 'GET /forms/error')).json).toMatchObject({ code: 'conflict', detail: 'why' })
    expect((await ask(app, 'GET /forms/error')).text).not.toContain('secret')
    expect((await ask(app, 'GET /forms/limit')).status).toBe(500)
    const production = application({ controllers: [forms], logger: quiet, environment: 'production' })
    expect((await ask(production, 'GET /forms/limit')).status).toBe(200)
    const answer = await app.fetch(new Request('http://localhost/forms/cookies'))
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('responses.md: streams and bytes', async () => {
    const { app } = await import('../../docs/snippets/responses.ts')
    expect(await ask(app, 'GET /exports')).toMatchObject({
      text: 'id,title\n1,Kokoro\n',
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    })
    expect((await ask(app, 'GET /forms/bytes')).headers['content-type']).toBe('image/png')
  })

  describe('callbacks.md', () => {
    const One = endpoint('One', { actions: { show: { routing: route.get('/'), responses: { ok: true } } } })
    const of = async (change: (one: Controller<typeof One.spec>) => Controller<typeof One.spec>, fail = false) => {
      const show = (): string => {
        if (fail) throw new Error('no')
        return 'shown'
      }
      return ask(application({ controllers: [change(One.implement({ show }))], logger: quiet }), 'GET /one')
    }

    it('around without next', async () => {
      expect(await of((one) => one.around(() => {}))).toMatchObject({ status: 200, text: '' })
      expect(await of((one) => one.around('validate', () => {}))).toMatchObject({ status: 500 })
    })

    it('a failure that is caught stands', async () => {
      const caught = await of((one) => one.around((_, next) => next().catch(() => {})), true)
      expect(caught.status).toBe(500)
    })

    it('a response that is not listed', async () => {
      expect((await of((one) => one.before(() => new Responses.Gone()))).json.detail).toMatch(/does not declare/)
    })

    it('after does not run when the stage threw', async () => {
      const ran: string[] = []
      await of((one) => one.after(() => void ran.push('after')), true)
      expect(ran).toEqual([])
    })
  })

  it('errors.md: twenty errors are listed, all are counted', async () => {
    const list = endpoint('List', {
      actions: { put: { routing: route.put('/'), payload: t.array(t.integer()), responses: { ok: true } } },
    }).implement({ put: () => '' })
    const app = application({ controllers: [list] })
    const { json } = await ask(app, 'PUT /list', { body: Array.from({ length: 30 }, () => 'x') })
    expect([json.errors.length, json.errorCount]).toEqual([20, 30])
  })

  it('serving.md: ids of requests', async () => {
    const Id = endpoint('Id', { actions: { show: { routing: route.get('/'), responses: { ok: true } } } })
    const id = Id.implement({ show: (_, { request }) => request.id })
    const app = application({ controllers: [id] })
    expect((await ask(app, 'GET /id', { headers: { 'x-request-id': 'a/1:2' } })).text).toBe('a/1:2')
    const own = await app.fetch(new Request('http://localhost/id', { headers: { 'x-request-id': 'a b' } }))
    expect(await own.text()).toMatch(/^\w{8}-\w+$/)
  })
})
