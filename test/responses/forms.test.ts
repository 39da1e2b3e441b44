// Rendering: bodies of every form, negotiation of their media type, and the headers they leave with.
import { application, endpoint, mediaType, Responses, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, askSocket, recorder } from '../support/ask.ts'

const Blog = mediaType('Blog', { attributes: { id: t.integer({ required: true }), title: t.string() } })

/** One action with these responses that returns what `make` gives. */
function returning(responses: object, make: (reply: any, context: any) => unknown, options: object = {}) {
  const Things = endpoint('Things', { actions: { get: { routing: route.get('/'), responses } } } as never)
  const implementation = { get: (_: unknown, context: any) => make(context.reply, context) }
  return application({ logger: recorder(), ...options, controllers: [Things.implement(implementation as never)] })
}
const got = (responses: object, body: unknown, options: object = {}) =>
  ask(
    returning(responses, (reply) => reply.ok(body), options),
    'GET /things',
  )

describe('forms of bodies', () => {
  const bytes = new Uint8Array([0, 255, 128, 10, 13])

  it('[RET-03] bytes pass as they are', async () => {
    const answer = await got({ ok: 'image/png' }, bytes)
    expect([[...answer.bytes], answer.headers['content-type'], answer.headers['content-length']]).toEqual([
      [...bytes],
      'image/png',
      '5',
    ])
    expect((await got({ ok: 'application/octet-stream' }, bytes)).headers['content-type']).toBe(
      'application/octet-stream',
    )
  })

  it('[RET-03] streams and generators pass as they are produced', async () => {
    const stream = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes)
          controller.enqueue(bytes)
          controller.close()
        },
      })
    async function* generator() {
      yield 'one,'
      await Promise.resolve()
      yield new TextEncoder().encode('twö')
    }
    for (const [make, text] of [
      [stream, Buffer.concat([bytes, bytes]).toString()],
      [generator, 'one,twö'],
    ] as const) {
      const answer = await ask(
        returning({ ok: 'text/csv' }, (reply) => reply.ok(make())),
        'GET /things',
      )
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
        200,
        text,
        'text/csv; charset=utf-8',
      ])
    }
  })

  it('[RET-03] a stream that fails breaks the response off, and the server goes on', async () => {
    async function* failing() {
      yield 'part'
      throw new Error('source')
    }
    const log = recorder()
    const app = returning({ ok: 'text/csv' }, (reply) => reply.ok(failing()), { logger: log })
    await expect(askSocket(app, 'GET /things')).rejects.toThrow()
    await expect(askFetch(app, 'GET /things')).rejects.toThrow('source')
    expect(log.entries).toHaveLength(2)
  })

  it('[RET-03] a stream that is not sent is let go', async () => {
    let [opened, open] = [0, 0]
    const stream = () => {
      opened++
      open++
      return new ReadableStream({ cancel: () => void open-- })
    }
    const bad = { headers: { 'X-A': 'a\nb' } }
    const refused = returning({ ok: 'text/csv' }, (reply) => reply.ok(stream(), bad))
    expect((await ask(refused, 'GET /things')).status).toBe(500)
    const undeclared = returning({ ok: 'text/csv' }, () => new Responses.Created({ body: stream() }))
    expect((await ask(undeclared, 'GET /things')).status).toBe(500)
    const slow = (reply: any) => new Promise((resolve) => setTimeout(() => resolve(reply.ok(stream())), 20))
    expect((await ask(returning({ ok: 'text/csv' }, slow, { timeout: 1 }), 'GET /things')).status).toBe(503)
    await ask(
      returning({ ok: 'text/csv' }, (reply) => reply.ok(stream())),
      'HEAD /things',
    )
    // The one that came after the deadline is opened, and closed, behind its answer.
    await expect.poll(() => [opened, open]).toEqual([8, 0])
  })

  it('[RTE-22] HEAD equals GET without its body', async () => {
    for (const [responses, body] of [
      [{ ok: Blog }, { id: 1, title: 'ü' }],
      [{ ok: 'image/png' }, bytes],
      [{ ok: true }, undefined],
    ] as const) {
      const app = returning(responses, (reply) => reply.ok(body, { headers: { 'X-A': '1' } }))
      for (const way of [askSocket, askFetch]) {
        const [get, head] = [await way(app, 'GET /things'), await way(app, 'HEAD /things')]
        expect(head.text).toBe('')
        // Without a body there is no length to send.
        const { date: _, 'content-length': length = '0', ...rest } = get.headers
        expect(head.headers).toMatchObject(rest)
        if (length !== '0') expect(head.headers['content-length']).toBe(length)
      }
    }
  })

  it('[RET-03] a response without a body has none, and no type either', async () => {
    for (const [name, status] of [
      ['created', 201],
      ['noContent', 204],
      ['seeOther', 303],
    ] as const) {
      const answer = await ask(
        returning({ [name]: true }, (reply) => reply[name]()),
        'GET /things',
      )
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([status, '', undefined])
    }
    const refused = await ask(
      returning({ noContent: true }, () => new Responses.NoContent<string>({ body: 'none of it' })),
      'GET /things',
    )
    expect([refused.status, refused.json.detail]).toEqual([500, expect.stringContaining('but none is declared')])
  })
})

describe('negotiation', () => {
  const Other = mediaType('Other', { identifier: 'application/vnd.other+json', attributes: { id: t.integer() } })
  const app = returning({ ok: { mediaType: [Blog, Other, 'text/csv'] } }, (reply, { request }) =>
    reply.ok(request.env.headers.accept?.includes('text') ? 'a,b' : { id: 1, title: 'x' }),
  )
  const typeFor = async (accept?: string) => {
    const answer = await ask(app, 'GET /things', { headers: accept === undefined ? {} : { accept } })
    return answer.status === 200 ? answer.headers['content-type'] : answer.status
  }

  it('[RSP-06] of several media types the client chooses', async () => {
    expect(await typeFor('application/vnd.other+json')).toBe('application/vnd.other+json')
    for (const accept of ['text/csv', 'text/*']) expect(await typeFor(accept)).toBe('text/csv; charset=utf-8')
    expect(await typeFor('application/vnd.blog+json;q=0.5, application/vnd.other+json;q=0.9')).toBe(
      'application/vnd.other+json',
    )
    for (const accept of [undefined, '*/*', 'application/*'])
      expect(await typeFor(accept)).toBe('application/vnd.blog+json')
  })

  it('[RSP-06] 406 if none fits', async () => {
    const answer = await ask(app, 'GET /things', { headers: { accept: 'image/png' } })
    expect(answer.json).toMatchObject({
      status: 406,
      code: 'not-acceptable',
      detail: 'Available media types: application/vnd.blog+json, application/vnd.other+json, text/csv.',
    })
    expect(await typeFor('text/csv;q=0')).toBe(406)
    // One declared media type is served whatever the client says.
    const one = await ask(
      returning({ ok: Blog }, (reply) => reply.ok({ id: 1 })),
      'GET /things',
      { headers: { accept: 'image/png' } },
    )
    expect(one.status).toBe(200)
  })

  it('[RSP-06] responses that depend on Accept say so', async () => {
    expect((await ask(app, 'GET /things')).headers['vary']).toContain('Accept')
  })
})

describe('headers', () => {
  it('[RSP-06] what would split the response is a 500', async () => {
    const evil = ['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'a\u2028b', 'é']
    const bags = [
      ...evil.map((value) => ({ headers: { 'X-A': value } })),
      ...evil.map((value) => ({ mediaType: value })),
      { headers: { 'X-A\r\nX-Evil': '1' } },
      { headers: { 'X A': '1' } },
      { headers: { '': '1' } },
      { headers: { 'X-A': ['fine', 'a\r\nX-Evil: 1'] } },
    ]
    for (const init of bags) {
      const answer = await ask(
        returning({ ok: true }, (reply) => reply.ok('text', init)),
        'GET /things',
      )
      expect([answer.status, answer.headers['x-evil'], answer.json.code], JSON.stringify(init)).toEqual([
        500,
        undefined,
        'internal',
      ])
    }
  })

  it('[RSP-06] a location cannot split the response: it is sent as a URI', async () => {
    for (const [given, sent] of [
      ['a\r\nX-Evil: 1', 'a%0D%0AX-Evil:%201'],
      ['a\0b', 'a%00b'],
      ['a\u2028b', 'a%E2%80%A8b'],
      ['/é', '/%C3%A9'],
    ]) {
      const answer = await ask(
        returning({ ok: true }, (reply) => reply.ok('text', { location: given })),
        'GET /things',
      )
      expect([answer.status, answer.headers['x-evil'], answer.headers['location']]).toEqual([200, undefined, sent])
    }
  })

  it('[RSP-06] what only looks odd is sent', async () => {
    const answer = await ask(
      returning({ ok: true }, (reply) =>
        reply.ok('text', { headers: { 'X-A': 'a\tb', 'x-a': 'two', 'Set-Cookie': ['a=1', 'b=2'] } }),
      ),
      'GET /things',
    )
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, 'a=1, b=2'])
    expect(
      (
        await ask(
          returning({ ok: true }, () => ''),
          'GET /things',
        )
      ).headers['x-content-type-options'],
    ).toBe('nosniff')
  })
})
