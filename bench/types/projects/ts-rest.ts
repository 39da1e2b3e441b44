// The measured API in ts-rest with zod: a contract of five routes and its implementation.

/** The module of resource `n`. */
export const resource = (n: number): string => `
import { initContract } from '@ts-rest/core'
import { tsr } from '@ts-rest/serverless/fetch'
import { z } from 'zod'

const Owner = z.object({ id: z.number().int(), name: z.string().optional() })
const Item = z.object({
  id: z.number().int(),
  title: z.string().max(200),
  kind: z.enum(['small${n}', 'large${n}']),
  tags: z.array(z.string()).optional(),
  owner: Owner.optional(),
})
const Problem = z.object({ message: z.string() })
const c = initContract()
export const contract${n} = c.router({
  index: {
    method: 'GET',
    path: '/items${n}',
    query: z.object({ q${n}: z.string().optional(), limit: z.coerce.number().int().default(20) }),
    responses: { 200: z.array(Item) },
  },
  show: {
    method: 'GET',
    path: '/items${n}/:id',
    pathParams: z.object({ id: z.coerce.number().int() }),
    query: z.object({ depth${n}: z.coerce.number().int().optional() }),
    responses: { 200: Item, 404: Problem },
  },
  create: {
    method: 'POST',
    path: '/items${n}',
    query: z.object({ draft${n}: z.coerce.boolean().optional() }),
    body: z.object({ title: z.string().max(200), kind: z.enum(['small${n}', 'large${n}']), owner: Owner.optional() }),
    responses: { 201: Item, 400: Problem },
  },
  update: {
    method: 'PATCH',
    path: '/items${n}/:id',
    pathParams: z.object({ id: z.coerce.number().int() }),
    body: z.object({ title: z.string().max(200).optional(), tags: z.array(z.string()).optional() }),
    responses: { 200: Item, 404: Problem },
  },
  replace: {
    method: 'PUT',
    path: '/items${n}/:id',
    pathParams: z.object({ id: z.coerce.number().int() }),
    query: z.object({ force${n}: z.coerce.boolean().default(false) }),
    body: z.object({
      title: z.string().max(200),
      kind: z.enum(['small${n}', 'large${n}']),
      tags: z.array(z.string()).optional(),
    }),
    responses: { 200: Item, 409: Problem },
  },
})
export const items${n} = tsr.router(contract${n}, {
  index: async ({ query: { q${n}, limit } }) => ({
    status: 200,
    body: [{ id: limit, title: q${n} ?? '', kind: 'small${n}' }],
  }),
  show: async ({ params: { id }, query: { depth${n} } }) => {
    if (id === depth${n}) return { status: 404, body: { message: 'none' } }
    return { status: 200, body: { id, title: 'a', kind: 'large${n}', owner: { id, name: 'b' } } }
  },
  create: async ({ query: { draft${n} }, body: { title, kind, owner } }) => {
    if (draft${n} && kind === 'small${n}') return { status: 400, body: { message: 'bad' } }
    return { status: 201, body: { id: owner?.id ?? 1, title, kind, owner } }
  },
  update: async ({ params: { id }, body: { title, tags } }) => {
    if (title === undefined) return { status: 404, body: { message: 'none' } }
    return { status: 200, body: { id, title, kind: 'small${n}', tags } }
  },
  replace: async ({ params: { id }, query: { force${n} }, body: { title, kind, tags } }) => {
    if (!force${n}) return { status: 409, body: { message: 'taken' } }
    return { status: 200, body: { id, title, kind, tags } }
  },
})
`

/** The module that puts the resources together. */
export const whole = (count: number): string => {
  const all = Array.from({ length: count }, (_, n) => n)
  return `
import { initContract } from '@ts-rest/core'
import { createFetchHandler } from '@ts-rest/serverless/fetch'
${all.map((n) => `import { contract${n}, items${n} } from './items${n}.ts'`).join('\n')}

const contract = initContract().router({ ${all.map((n) => `items${n}: contract${n}`).join(', ')} })
export const app = createFetchHandler(contract, { ${all.map((n) => `items${n}`).join(', ')} })
`
}
