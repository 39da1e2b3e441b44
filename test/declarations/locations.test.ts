// Locations with any characters: they leave as URIs of ASCII, and nothing in them ends the header or the answer.
import { application, endpoint, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askSocket, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const log = recorder()
let location = ''
const Things = endpoint('Things', {
  actions: {
    create: { routing: route.post('/'), responses: { created: { location: /.*/ } } },
    listed: { routing: route.put('/'), responses: { created: true } },
    moved: { routing: route.get('/moved'), responses: { seeOther: { location: 'https://a.example/ä b' } } },
    book: { routing: route.get('/:name'), params: { name: t.string() }, responses: { found: true } },
  },
})
const app = application({
  logger: log,
  controllers: [
    Things.implement({
      create: (_, { reply }) => reply.created(undefined, { location }),
      listed: (_, { reply }) =>
        reply.created(undefined, { headers: { 'Content-Location': location, LOCATION: [location] } }),
      moved: (_, { reply }) => reply.seeOther(undefined, { location: 'https://a.example/ä b' }),
      book: ({ name }, { reply }) => reply.found(undefined, { location: `/books/${name}` }),
    }),
  ],
})

/** Every character that a URI may have, and nothing else (RFC 3986, appendix A). */
const URI = /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.webUrl(),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('/a\r\nX-Injected: 1', '/\ud800', '/\udc00\ud800', '\r\n\r\n<script>', '/é', ' ', '\\\\evil.example'),
)

describe('Location', () => {
  it.each(['POST /things', 'PUT /things'])('of any text is a URI that means the same, after %s', async (line) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        location = text
        const { status, headers } = await ask(app, line)
        expect(status).toBe(201)
        expect(Object.keys(headers)).not.toContain('x-injected')
        expect(headers['location']).toMatch(URI)
        // Escapes that were there before stay as they were.
        if (!text.includes('%')) expect(decodeURIComponent(headers['location'] as string)).toBe(wellFormed(text))
        if (line.startsWith('PUT')) expect(headers['content-location']).toBe(headers['location'])
      }),
      { numRuns: runs(150, 1000) },
    )
    expect(log.entries).toEqual([])
  })

  it('keeps what is encoded already', async () => {
    location = '/a%20b/%C3%A9?x=%25&y=[1]#z'
    expect((await ask(app, 'POST /things')).headers['location']).toBe(location)
  })

  it('of a name from the path is encoded again', async () => {
    const { status, headers } = await ask(app, 'GET /things/%C3%A9%0d%0aX-Injected:%201')
    expect([status, headers['location']]).toEqual([302, '/books/%C3%A9%0D%0AX-Injected:%201'])
  })

  it('that is declared with other characters is described as it is sent', async () => {
    const { headers } = await askSocket(app, 'GET /things/moved')
    expect(headers['location']).toBe('https://a.example/%C3%A4%20b')
    expect(JSON.stringify(app.openapi())).toContain('"const":"https://a.example/%C3%A4%20b"')
  })
})
