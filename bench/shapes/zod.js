// The schemas of the common shapes for those who validate with Zod, 3 or 4.

/** @param {typeof import('zod').z} z */
export function schemasOf(z) {
  const integer = z.number().int()
  const positive = z.coerce.number().int().min(1)
  const status = z.enum(['draft', 'review', 'published'])
  const order = {
    number: z.string().regex(/^ORD-\d{4}-\d{6}$/),
    customer: z.object({
      id: integer.min(1),
      name: z.string().max(100),
      email: z.string().max(100),
      country: z.string().max(2).default('GB'),
    }),
    currency: z.enum(['EUR', 'GBP', 'USD']).default('EUR'),
    gift: z.boolean().default(false),
    lines: z
      .array(
        z.object({
          sku: z.string().regex(/^[A-Z]{3}-\d{4}$/),
          quantity: integer.min(1).max(999),
          price: z.number().min(0),
          note: z.string().max(200).default(''),
        }),
      )
      .max(100),
  }
  return {
    ById: z.object({ id: positive }),
    Article: z.object({
      id: integer,
      title: z.string(),
      slug: z.string(),
      status,
      rating: z.number(),
      views: integer,
      published: z.boolean(),
      created_at: z.date(),
      author: z.object({ id: integer, name: z.string() }),
      tags: z.array(z.string()),
    }),
    SearchQuery: z.object({
      q: z.string().max(100).optional(),
      limit: positive.max(100).default(50),
      sort: z.enum(['title', 'created_at']).optional(),
      tags: z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).optional(),
      archived: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true'),
    }),
    SearchHeaders: z.object({
      authorization: z.string(),
      'x-trace': z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional(),
    }),
    Found: z.object({
      q: z.string().optional(),
      limit: integer,
      sort: z.string().optional(),
      tags: z.array(z.string()).optional(),
      archived: z.boolean(),
      trace: z.string().optional(),
    }),
    OrderPayload: z.object(order),
    Order: z.object({ id: integer, ...order }),
    Message: z.object({ to: z.string().max(100), text: z.string().max(280), priority: integer.min(1).max(5) }),
    Changes: z.object({
      title: z.string().min(1).max(200).optional(),
      slug: z.string().max(200).optional(),
      status: status.optional(),
      rating: z.number().min(0).max(5).optional(),
      published: z.boolean().optional(),
      tags: z.array(z.string()).max(20).optional(),
    }),
    User: z.object({ id: integer, name: z.string(), roles: z.array(z.string()) }),
  }
}
