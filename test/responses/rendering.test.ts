// Rendering: what leaves is what was declared, in the form that was declared, and nothing else.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, recorder } from '../support/ask.ts'

const Person = mediaType('Person', {
  attributes: { name: t.string({ required: true }), email: t.string() },
  views: { short: ['name'] },
})
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ max: 5 }),
    meta: t.object({ words: t.integer(), deep: t.object({ a: t.string() }) }),
    tags: t.array(t.object({ name: t.string() })),
    scores: t.record(t.integer()),
    owner: Person,
    editor: Person.view('short'),
    extra: t.any(),
    at: t.dateTime(),
    day: t.date(),
    size: t.bigint(),
    note: t.string({ nullable: true }),
  },
  views: { full: ['id', 'owner', 'editor'], dates: ['id', 'at', 'day', 'size'] },
})

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

const secret = { password: 'hunter2' }
const row = {
  id: 1,
  title: 'Hello',
  meta: { words: 2, deep: { a: 'x', ...secret }, ...secret },
  tags: [
    { name: 'a', ...secret },
    { name: 'b', ...secret },
  ],
  owner: { name: 'Ann', email: 'a@x', ...secret },
  editor: { name: 'Bob', email: 'b@x', ...secret },
  ...secret,
}

describe('projection', () => {
  it('[DEF-05] undeclared attributes never leave: nested, in lists, in lists of structures', async () => {
    const answer = await got({ ok: Blog }, row)
    expect(answer.json).toEqual({
      id: 1,
      title: 'Hello',
      meta: { words: 2, deep: { a: 'x' } },
      tags: [{ name: 'a' }, { name: 'b' }],
    })
    const list = await got({ ok: collectionOf(Blog) }, [row, row])
    expect(list.text).not.toContain('hunter2')
    expect(list.json).toHaveLength(2)
  })

  it('[DEF-05] nor in views, where related resources are shown', async () => {
    const answer = await got({ ok: Blog.view('full') }, row)
    expect(answer.json).toEqual({ id: 1, owner: { name: 'Ann', email: 'a@x' }, editor: { name: 'Bob' } })
    const listed = await got({ ok: collectionOf(Blog, { view: 'full' }) }, [row])
    expect(listed.json).toEqual([answer.json])
  })

  it('[DEF-05] nor in errors, nor as a body that has no declaration', async () => {
    const conflict = await ask(
      returning({ conflict: true }, (reply) => reply.conflict({ detail: 'taken', ...row })),
      'GET /things',
    )
    expect(conflict.json).toEqual({
      type: 'about:blank',
      title: 'Hello',
      status: 409,
      code: 'conflict',
      detail: 'taken',
    })
    const plain = await got({ ok: true }, row)
    expect([plain.status, plain.text.includes('hunter2')]).toEqual([500, false])
  })

  it('[DEF-05] class instances and inherited members are projected like any object', async () => {
    class Base {
      get title() {
        return 'got'
      }
    }
    class Entity extends Base {
      id = 1
      #hidden = 'x'
      toJSON() {
        return { ...secret, hidden: this.#hidden }
      }
    }
    expect((await got({ ok: Blog }, new Entity())).json).toEqual({ id: 1, title: 'got' })
    const bare = Object.assign(Object.create(null), { id: 2, constructor: 'x' })
    expect((await got({ ok: Blog }, bare)).json).toEqual({ id: 2 })
  })

  it('[DEF-05] dates, moments and big integers are encoded', async () => {
    const body = { id: 1, at: new Date(0), day: '2026-01-31', size: 2n ** 70n, extra: new Date(1), note: null }
    expect((await got({ ok: Blog.view('dates') }, body)).json).toEqual({
      id: 1,
      at: '1970-01-01T00:00:00.000Z',
      day: '2026-01-31',
      size: '1180591620717411303424',
    })
    expect(
      (await got({ ok: Blog }, { id: 1, extra: { big: 5n, when: new Date(1), skipped: undefined, not: Number.NaN } }))
        .json.extra,
    ).toEqual({ big: '5', when: '1970-01-01T00:00:00.001Z', not: null })
    expect((await got({ ok: Blog }, { id: 1, note: null })).json).toEqual({ id: 1, note: null })
  })
})

describe('checks', () => {
  const broken: readonly (readonly [string, unknown])[] = [
    ['/id is required', { title: 'x' }],
    ['/id must be an integer', { id: 'one' }],
    ['/title must have at most 5 characters', { id: 1, title: 'too long' }],
    ['/tags/1/name must be a string', { id: 1, tags: [{ name: 'a' }, { name: 5 }] }],
    ['/title must not be null', { id: 1, title: null }],
    ['the body is required', undefined],
    ['the body must be an object', 'text'],
    ['the body must be an object', [1]],
  ]

  it.each(broken)('[RSP-06] in development %s: a 500 that says so, and logged', async (message, body) => {
    const log = recorder()
    const answer = await got({ ok: Blog }, body, { environment: 'development', logger: log })
    expect(answer.json).toMatchObject({ status: 500, code: 'internal', detail: expect.stringContaining(message) })
    expect(log.entries[0]).toMatchObject({
      level: 'error',
      message: expect.stringContaining(message),
      fields: { action: 'Things.get' },
    })
  })

  it('[RSP-06] in production one body in a hundred is checked, and what only breaks a limit is logged and sent', async () => {
    const log = recorder()
    const app = returning({ ok: Blog }, (reply) => reply.ok({ id: 1, title: 'too long' }), {
      environment: 'production',
      logger: log,
    })
    for (let i = 0; i < 201; i++) expect((await askFetch(app, 'GET /things')).status).toBe(200)
    expect(log.entries.map(({ message }) => message)).toEqual(
      Array(3).fill(expect.stringContaining('/title must have at most 5 characters')),
    )
  })

  it('[RSP-06] in production what is of another type never leaves, and nothing is told', async () => {
    const app = returning({ ok: Blog }, (reply) => reply.ok({ id: 1, meta: 'hunter2' }), { environment: 'production' })
    for (let i = 0; i < 3; i++) {
      const answer = await ask(app, 'GET /things')
      expect([answer.status, answer.json.detail, answer.text.includes('hunter2')]).toEqual([500, undefined, false])
    }
  })

  it('[RSP-06] how much is checked can be set', async () => {
    const long = { id: 1, title: 'too long' }
    expect((await got({ ok: Blog }, long, { validateResponses: 'off' })).status).toBe(200)
    expect((await got({ ok: Blog }, long, { validateResponses: 'always', environment: 'production' })).status).toBe(500)
    expect((await got({ ok: collectionOf(Blog) }, [{ id: 1 }, long])).json.detail).toContain('/1/title')
  })

  it('[RSP-06] every misfit of a list is named by its own location, five of them at most', async () => {
    const bad = { id: 'x', title: 'much too long', tags: [{ name: 'a' }, { name: 1 }] }
    const detailOf = async (body: unknown): Promise<string> => (await got({ ok: collectionOf(Blog) }, body)).json.detail
    const told = async (body: unknown): Promise<string[]> =>
      [...(await detailOf(body)).matchAll(/(\/\S*) /g)].map(([, pointer]) => pointer as string)
    expect(await told([{ id: 1 }, bad, { id: 2 }, bad])).toEqual([
      '/1/id',
      '/1/title',
      '/1/tags/1/name',
      '/3/id',
      '/3/title',
    ])
    expect(await told([{ id: 1 }, null, { id: 'x' }])).toEqual(['/1', '/2/id'])
    expect(await detailOf({ id: 1 })).toContain('the body must be a list')
  })

  it('[ERR-07] cyclic data does not hang, nor does data that throws when it is read', async () => {
    const node: any = { id: 1 }
    node.extra = { node, list: [node, node] }
    const Tree: any = mediaType('Tree', {
      attributes: { left: t.ref(() => Tree), right: t.ref(() => Tree) } as never,
      views: { default: ['left', 'right'] } as never,
    })
    const tree: any = {}
    tree.left = tree.right = tree
    const throwing = {
      get id(): never {
        throw new Error('lazy')
      },
    }
    for (const [responses, body] of [
      [{ ok: Blog }, node],
      [{ ok: Tree }, tree],
      [{ ok: 'application/json' }, node],
      [{ ok: Blog }, throwing],
      [{ badRequest: true }, { errors: [node] }],
    ] as const) {
      const [name] = Object.keys(responses) as [string]
      const answer = await ask(
        returning(responses, (reply) => reply[name](body)),
        'GET /things',
      )
      expect(answer.status).toBe(500)
    }
  })
})
