// The measured API in edict: an endpoint of five actions with its media types and its controller.

/** The module of resource `n`. */
export const resource = (n: number): string => `
import { collectionOf, controller, endpoint, inherit, mediaType, route, t } from 'edict'

const Owner = mediaType('Owner${n}', {
  attributes: { id: t.integer({ required: true }), name: t.string() },
})
const Item = mediaType('Item${n}', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, max: 200 }),
    kind: t.string({ required: true, values: ['small${n}', 'large${n}'] }),
    tags: t.array(t.string()),
    owner: t.ref(() => Owner),
  },
})
const Items = endpoint('Items${n}', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      params: { q${n}: t.string(), limit: t.integer({ default: 20 }) },
      responses: { ok: collectionOf(Item) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), depth${n}: t.integer() },
      responses: { ok: Item, notFound: true },
    },
    create: {
      routing: route.post('/'),
      params: { draft${n}: t.boolean() },
      payload: { title: inherit, kind: inherit, owner: t.object({ id: t.integer({ required: true }), name: t.string() }) },
      responses: { created: Item, badRequest: true },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { title: inherit({ required: false }), tags: inherit },
      responses: { ok: Item, notFound: true },
    },
    replace: {
      routing: route.put('/:id'),
      params: { id: t.integer(), force${n}: t.boolean({ default: false }) },
      payload: { title: inherit, kind: inherit, tags: inherit },
      responses: { ok: Item, conflict: true },
    },
  },
})
export const items${n} = controller(Items, {
  index: ({ q${n}, limit }, { reply }) => reply.ok([{ id: limit, title: q${n} ?? '', kind: 'small${n}' }]),
  show: ({ id, depth${n} }, { reply }) =>
    id === depth${n} ? reply.notFound() : reply.ok({ id, title: 'a', kind: 'large${n}', owner: { id, name: 'b' } }),
  create({ draft${n} }, { request, reply }) {
    const { title, kind, owner } = request.payload
    if (draft${n} && kind === 'small${n}') return reply.badRequest()
    return reply.created({ id: owner?.id ?? 1, title, kind, owner })
  },
  update({ id }, { request, reply }) {
    const { title, tags } = request.payload
    return title === undefined ? reply.notFound() : reply.ok({ id, title, kind: 'small${n}', tags })
  },
  replace({ id, force${n} }, { request, reply }) {
    const { title, kind, tags } = request.payload
    return force${n} ? reply.ok({ id, title, kind, tags }) : reply.conflict()
  },
})
`

/** The module that puts the resources together. */
export const whole = (count: number): string => {
  const all = Array.from({ length: count }, (_, n) => n)
  return `
import { application } from 'edict'
${all.map((n) => `import { items${n} } from './items${n}.ts'`).join('\n')}

export const app = application({ controllers: [${all.map((n) => `items${n}`).join(', ')}] })
`
}
