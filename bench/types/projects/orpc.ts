// The measured API in oRPC with zod: a router of five procedures.

/** The module of resource `n`. */
export const resource = (n: number): string => `
import { ORPCError, os } from '@orpc/server'
import { z } from 'zod'

const Owner = z.object({ id: z.number().int(), name: z.string().optional() })
const Item = z.object({
  id: z.number().int(),
  title: z.string().max(200),
  kind: z.enum(['small${n}', 'large${n}']),
  tags: z.array(z.string()).optional(),
  owner: Owner.optional(),
})
export const items${n} = {
  index: os
    .route({ method: 'GET', path: '/items${n}' })
    .input(z.object({ q${n}: z.string().optional(), limit: z.coerce.number().int().default(20) }))
    .output(z.array(Item))
    .handler(({ input: { q${n}, limit } }) => [{ id: limit, title: q${n} ?? '', kind: 'small${n}' as const }]),
  show: os
    .route({ method: 'GET', path: '/items${n}/{id}' })
    .input(z.object({ id: z.coerce.number().int(), depth${n}: z.coerce.number().int().optional() }))
    .output(Item)
    .errors({ NOT_FOUND: {} })
    .handler(({ input: { id, depth${n} }, errors }) => {
      if (id === depth${n}) throw errors.NOT_FOUND()
      return { id, title: 'a', kind: 'large${n}', owner: { id, name: 'b' } }
    }),
  create: os
    .route({ method: 'POST', path: '/items${n}', successStatus: 201 })
    .input(
      z.object({
        draft${n}: z.coerce.boolean().optional(),
        title: z.string().max(200),
        kind: z.enum(['small${n}', 'large${n}']),
        owner: Owner.optional(),
      }),
    )
    .output(Item)
    .handler(({ input: { draft${n}, title, kind, owner } }) => {
      if (draft${n} && kind === 'small${n}') throw new ORPCError('BAD_REQUEST')
      return { id: owner?.id ?? 1, title, kind, owner }
    }),
  update: os
    .route({ method: 'PATCH', path: '/items${n}/{id}' })
    .input(
      z.object({
        id: z.coerce.number().int(),
        title: z.string().max(200).optional(),
        tags: z.array(z.string()).optional(),
      }),
    )
    .output(Item)
    .errors({ NOT_FOUND: {} })
    .handler(({ input: { id, title, tags }, errors }) => {
      if (title === undefined) throw errors.NOT_FOUND()
      return { id, title, kind: 'small${n}', tags }
    }),
  replace: os
    .route({ method: 'PUT', path: '/items${n}/{id}' })
    .input(
      z.object({
        id: z.coerce.number().int(),
        force${n}: z.coerce.boolean().default(false),
        title: z.string().max(200),
        kind: z.enum(['small${n}', 'large${n}']),
        tags: z.array(z.string()).optional(),
      }),
    )
    .output(Item)
    .errors({ CONFLICT: {} })
    .handler(({ input: { id, force${n}, title, kind, tags }, errors }) => {
      if (!force${n}) throw errors.CONFLICT()
      return { id, title, kind, tags }
    }),
}
`

/** The module that puts the resources together. */
export const whole = (count: number): string => {
  const all = Array.from({ length: count }, (_, n) => n)
  return `
import { OpenAPIHandler } from '@orpc/openapi/fetch'
${all.map((n) => `import { items${n} } from './items${n}.ts'`).join('\n')}

export const app = new OpenAPIHandler({ ${all.map((n) => `items${n}`).join(', ')} })
`
}
