// The measured API in Elysia: five chained routes with TypeBox schemas.

/** The module of resource `n`. */
export const resource = (n: number): string => `
import { Elysia, t } from 'elysia'

const Owner = t.Object({ id: t.Integer(), name: t.Optional(t.String()) })
const Kind = t.Union([t.Literal('small${n}'), t.Literal('large${n}')])
const Item = t.Object({
  id: t.Integer(),
  title: t.String({ maxLength: 200 }),
  kind: Kind,
  tags: t.Optional(t.Array(t.String())),
  owner: t.Optional(Owner),
})
const Problem = t.Object({ message: t.String() })

export const items${n} = new Elysia({ prefix: '/items${n}' })
  .get('/', ({ query: { q${n}, limit } }) => [{ id: limit, title: q${n} ?? '', kind: 'small${n}' as const }], {
    query: t.Object({ q${n}: t.Optional(t.String()), limit: t.Integer({ default: 20 }) }),
    response: { 200: t.Array(Item) },
  })
  .get(
    '/:id',
    ({ params: { id }, query: { depth${n} }, status }) => {
      if (id === depth${n}) return status(404, { message: 'none' })
      return status(200, { id, title: 'a', kind: 'large${n}', owner: { id, name: 'b' } })
    },
    {
      params: t.Object({ id: t.Integer() }),
      query: t.Object({ depth${n}: t.Optional(t.Integer()) }),
      response: { 200: Item, 404: Problem },
    },
  )
  .post(
    '/',
    ({ query: { draft${n} }, body: { title, kind, owner }, status }) => {
      if (draft${n} && kind === 'small${n}') return status(400, { message: 'bad' })
      return status(201, { id: owner?.id ?? 1, title, kind, owner })
    },
    {
      query: t.Object({ draft${n}: t.Optional(t.Boolean()) }),
      body: t.Object({ title: t.String({ maxLength: 200 }), kind: Kind, owner: t.Optional(Owner) }),
      response: { 201: Item, 400: Problem },
    },
  )
  .patch(
    '/:id',
    ({ params: { id }, body: { title, tags }, status }) => {
      if (title === undefined) return status(404, { message: 'none' })
      return status(200, { id, title, kind: 'small${n}', tags })
    },
    {
      params: t.Object({ id: t.Integer() }),
      body: t.Object({ title: t.Optional(t.String({ maxLength: 200 })), tags: t.Optional(t.Array(t.String())) }),
      response: { 200: Item, 404: Problem },
    },
  )
  .put(
    '/:id',
    ({ params: { id }, query: { force${n} }, body: { title, kind, tags }, status }) => {
      if (!force${n}) return status(409, { message: 'taken' })
      return status(200, { id, title, kind, tags })
    },
    {
      params: t.Object({ id: t.Integer() }),
      query: t.Object({ force${n}: t.Boolean({ default: false }) }),
      body: t.Object({ title: t.String({ maxLength: 200 }), kind: Kind, tags: t.Optional(t.Array(t.String())) }),
      response: { 200: Item, 409: Problem },
    },
  )
`

/** The module that puts the resources together. */
export const whole = (count: number): string => {
  const all = Array.from({ length: count }, (_, n) => n)
  return `
import { Elysia } from 'elysia'
${all.map((n) => `import { items${n} } from './items${n}.ts'`).join('\n')}

export const app = new Elysia()
${all.map((n) => `  .use(items${n})`).join('\n')}
`
}
