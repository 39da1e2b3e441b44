// Generates the small API that budget.ts measures: numbered endpoints whose names and types differ, so that the compiler
// cannot reuse results.

/** Returns the same module with three different policies per action. */
export const renderLimitedEndpoint = (n: number): string =>
  [
    "import { cacheControl } from 'edict/cache'",
    "import { etag } from 'edict/conditional'",
    "import { rateLimit } from 'edict/rate-limit'",
    renderEndpoint(n).replace(
      / {6}routing: /g,
      `      policies: [rateLimit({ limit: ${n + 1}, per: '1m', by: 'address' }), etag('body'), cacheControl({ maxAge: ${n} })],\n$&`,
    ),
  ].join('\n')

/** Returns the text of a module that declares endpoint number `n`, with five actions, and its controller. */
export function renderEndpoint(n: number): string {
  const { names, imports, parent, id } = describeParent(n)
  return `import { ${names}collectionOf, controller, endpoint, header, inherit, mediaType, route, t } from 'edict'
${imports}
const Item = mediaType('Item${n}', {
  identifier: 'application/vnd.acme.item${n}+json',
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 200 }),
    kind: t.string({ values: ['small${n}', 'large${n}'] }),
    tags: t.array(t.string()),
    owner: t.object({ id: t.integer({ required: true }), name: t.string() }),
    created_at: t.dateTime({ nullable: true }),
  },
})

export const Items = endpoint('Shop${n}Items', {${parent}
  mediaType: Item,
  version: '1.0',
  actionDefaults: {
    params: { dry_run: t.boolean({ default: false }) },
    headers: { Authorization: header() },
    responses: { unauthorized: true },
  },
  actions: {
    index: {
      routing: route.get('/'),
      params: { q${n}: t.string(), limit: t.integer({ default: 20 }) },
      headers: { 'X-Trace': header(/^[0-9a-f]+$/) },
      responses: { ok: collectionOf(Item) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer({ required: true }), depth${n}: t.integer() },
      responses: { ok: Item, notFound: true },
    },
    create: {
      routing: route.post('/'),
      params: { draft${n}: t.boolean() },
      payload: { title: inherit, kind: inherit({ required: true }), owner: inherit, notify: t.boolean() },
      headers: { 'X-Key': header() },
      responses: { created: Item, badRequest: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer({ required: true }) },
      payload: { title: inherit({ required: false }), tags: inherit, created_at: inherit },
      headers: { 'If-Match': header() },
      responses: { noContent: true, notFound: true, conflict: true },
    },
    remove: {
      routing: route.delete('/:id/parts${n}'),
      params: { id: t.integer({ required: true }), force${n}: t.boolean({ default: false }) },
      payload: { title: inherit, reason: t.string({ max: 80 }) },
      responses: { noContent: true, gone: true },
    },
  },
})

export const items = controller(Items, {
  index({ q${n}, limit }, { reply, request }) {
    const text: string = (q${n} ?? '') + request.headers.Authorization
    return reply.ok([{ id: limit, title: text }])
  },
  async show({ id, depth${n}, dry_run${id && `, ${id}`} }, { reply }) {
    if (dry_run || id === depth${n}${id && ` || ${id} === id`}) return reply.notFound()
    return reply.ok({ id, title: 'title', owner: { id }, created_at: null })
  },
  create({ draft${n} }, { reply, request }) {
    const { title, kind, owner } = request.payload
    const small: boolean = kind === 'small${n}'
    return small || draft${n} ? reply.badRequest() : reply.created({ id: owner?.id ?? 1, title, kind })
  },
  update({ id${id && `, ${id}`} }, { reply, request }) {
    const tag: string | undefined = request.payload.tags?.[id${id && ` + ${id}`}]
    return tag === undefined ? reply.noContent() : reply.conflict()
  },
  remove({ id, force${n} }, { reply, request }) {
    return force${n} || request.payload.reason === String(id) ? reply.noContent() : reply.gone()
  },
})
`
}

// Every tenth endpoint is the child of the previous one; every other child renames the parameter it inherits.
function describeParent(n: number): { names: string; imports: string; parent: string; id: string } {
  if (n % 10 !== 9) return { names: '', imports: '', parent: '', id: '' }
  const imports = `import { Items as Parent } from './items${n - 1}.ts'\n`
  if (n % 20 === 9) return { names: '', imports, parent: '\n  parent: Parent,', id: `shop${n - 1}_item_id` }
  return { names: 'childOf, ', imports, parent: `\n  parent: childOf(Parent, { id: 'shop${n}' }),`, id: `shop${n}` }
}
