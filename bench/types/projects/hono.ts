// The measured API in Hono with zod-validator: five chained routes, so that its client knows them.

/** The module of resource `n`. */
export const resource = (n: number): string => `
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { z } from 'zod'

const Owner = z.object({ id: z.number().int(), name: z.string().optional() })
const Item = z.object({
  id: z.number().int(),
  title: z.string().max(200),
  kind: z.enum(['small${n}', 'large${n}']),
  tags: z.array(z.string()).optional(),
  owner: Owner.optional(),
})
type Item = z.infer<typeof Item>

export const items${n} = new Hono()
  .get(
    '/',
    zValidator('query', z.object({ q${n}: z.string().optional(), limit: z.coerce.number().int().default(20) })),
    (c) => {
      const { q${n}, limit } = c.req.valid('query')
      const body: Item[] = [{ id: limit, title: q${n} ?? '', kind: 'small${n}' }]
      return c.json(body, 200)
    },
  )
  .get(
    '/:id',
    zValidator('param', z.object({ id: z.coerce.number().int() })),
    zValidator('query', z.object({ depth${n}: z.coerce.number().int().optional() })),
    (c) => {
      const { id } = c.req.valid('param')
      if (id === c.req.valid('query').depth${n}) return c.json({ message: 'none' }, 404)
      const body: Item = { id, title: 'a', kind: 'large${n}', owner: { id, name: 'b' } }
      return c.json(body, 200)
    },
  )
  .post(
    '/',
    zValidator('query', z.object({ draft${n}: z.coerce.boolean().optional() })),
    zValidator(
      'json',
      z.object({ title: z.string().max(200), kind: z.enum(['small${n}', 'large${n}']), owner: Owner.optional() }),
    ),
    (c) => {
      const { title, kind, owner } = c.req.valid('json')
      if (c.req.valid('query').draft${n} && kind === 'small${n}') return c.json({ message: 'bad' }, 400)
      const body: Item = { id: owner?.id ?? 1, title, kind, owner }
      return c.json(body, 201)
    },
  )
  .patch(
    '/:id',
    zValidator('param', z.object({ id: z.coerce.number().int() })),
    zValidator('json', z.object({ title: z.string().max(200).optional(), tags: z.array(z.string()).optional() })),
    (c) => {
      const { id } = c.req.valid('param')
      const { title, tags } = c.req.valid('json')
      if (title === undefined) return c.json({ message: 'none' }, 404)
      const body: Item = { id, title, kind: 'small${n}', tags }
      return c.json(body, 200)
    },
  )
  .put(
    '/:id',
    zValidator('param', z.object({ id: z.coerce.number().int() })),
    zValidator('query', z.object({ force${n}: z.coerce.boolean().default(false) })),
    zValidator(
      'json',
      z.object({
        title: z.string().max(200),
        kind: z.enum(['small${n}', 'large${n}']),
        tags: z.array(z.string()).optional(),
      }),
    ),
    (c) => {
      const { id } = c.req.valid('param')
      const { title, kind, tags } = c.req.valid('json')
      if (!c.req.valid('query').force${n}) return c.json({ message: 'taken' }, 409)
      const body: Item = { id, title, kind, tags }
      return c.json(body, 200)
    },
  )
`

/** The module that puts the resources together. */
export const whole = (count: number): string => {
  const all = Array.from({ length: count }, (_, n) => n)
  return `
import { Hono } from 'hono'
${all.map((n) => `import { items${n} } from './items${n}.ts'`).join('\n')}

export const app = new Hono()
${all.map((n) => `  .route('/items${n}', items${n})`).join('\n')}
`
}
