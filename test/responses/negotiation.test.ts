// Content negotiation in actions: the body that an action makes always fits the media type that is sent.
import { application, endpoint, mediaType, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askFetch } from '../support/ask.ts'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
const Forms = endpoint('Forms', {
  mediaType: Book,
  actions: {
    show: {
      routing: route.get('/'),
      responses: {
        ok: { mediaType: [Book, 'text/csv', 'text/plain; charset=utf-8'] },
        accepted: 'text/plain',
        gone: true,
      },
    },
  },
})
const seen: (string | undefined)[] = []
const app = application({
  controllers: [
    Forms.implement({
      show(_, { reply, request }) {
        const { accepts } = request
        const chosen = accepts('ok')
        seen.push(chosen)
        return chosen?.startsWith('text/') ? reply.ok(`as ${chosen}` as never) : reply.ok({ id: 1 })
      },
    }),
  ],
})

const TYPES = ['application/vnd.book+json', 'text/csv', 'text/plain', 'image/png', 'application/json']
const spelled = (text: string) =>
  fc.constantFrom(
    text,
    text.toUpperCase(),
    text.replace(/^./, (a) => a.toUpperCase()),
  )
const range = fc
  .constantFrom(...TYPES, 'text/*', 'application/*', '*/*', 'image/*')
  .chain(spelled)
  .chain((type) =>
    fc
      .constantFrom('', ';q=0', ';q=0.1', ';q=1', '; q=0.123', ';charset=utf-8', ';Q=0.5', ';level=1;q=0.3')
      .map((weight) => type + weight),
  )
const header = fc.oneof(
  { weight: 5, arbitrary: fc.array(range, { minLength: 1, maxLength: 5 }).map((all) => all.join(', ')) },
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim()),
)

describe('request.accepts', () => {
  it('gives the media type that is sent, as it is declared, or nothing where the response is a 406', async () => {
    await fc.assert(
      fc.asyncProperty(header, async (Accept) => {
        seen.length = 0
        const { status, headers, text } = await askFetch(app, 'GET /forms', { headers: { Accept } })
        const [chosen] = seen
        expect([200, 406]).toContain(status)
        expect(chosen === undefined).toBe(status === 406)
        if (chosen === undefined) return
        expect(headers['content-type']?.split(';')[0]).toBe(chosen.split(';')[0])
        expect(text).toBe(chosen.startsWith('text/') ? `as ${chosen}` : '{"id":1}')
      }),
      { numRuns: 300 },
    )
  }, 30_000)

  it.each([
    [undefined, 'application/vnd.book+json'],
    ['*/*', 'application/vnd.book+json'],
    ['text/*', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/plain, text/csv;q=0.5', 'text/plain; charset=utf-8'],
  ])('of Accept: %s is %s', async (Accept, expected) => {
    seen.length = 0
    await ask(app, 'GET /forms', { headers: Accept === undefined ? {} : { Accept } })
    expect(seen).toEqual([expected, expected])
  })
})

/** Which of three responses are declared in several forms. */
const TABLE = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [bits & 1, bits & 2, bits & 4].map(Boolean))

describe('an action with three responses', () => {
  it.each(TABLE)('of which several forms have: %j, %j, %j', async (...several) => {
    const forms = (many: boolean) => (many ? { mediaType: ['text/csv', 'text/plain'] } : 'text/plain')
    const [ok, accepted, conflict] = several.map(forms)
    const Made = endpoint('Made', {
      actions: {
        show: {
          routing: route.get('/'),
          params: { as: t.string({ values: ['ok', 'accepted', 'conflict'], required: true }) },
          responses: { ok, accepted, conflict } as { ok: 'text/plain'; accepted: 'text/plain'; conflict: 'text/plain' },
        },
      },
    })
    const made = application({ controllers: [Made.implement({ show: ({ as }, { reply }) => reply[as]('text') })] })
    const varies = several.some(Boolean)
    for (const [i, as] of ['ok', 'accepted', 'conflict'].entries()) {
      const line = `GET /made?as=${as}`
      const sent = [200, 202, 409][i]
      const answer = await ask(made, line, { headers: { Accept: 'text/plain' } })
      // A cache that keeps one of them must know that clients with another Accept may get something else.
      expect([answer.status, /\baccept\b/i.test(answer.headers['vary'] ?? '')]).toEqual([sent, varies])
      const { status } = await ask(made, line, { headers: { Accept: 'image/png' } })
      expect(status).toBe(several[i] ? 406 : sent)
    }
    expect(made.openapi().paths['/made']?.get?.responses?.['406'] !== undefined).toBe(varies)
  })
})
