// The schemas of the large shapes for those who validate with Zod, 3 or 4.

/** @param {typeof import('zod').z} z */
export function largeSchemas(z) {
  const integer = z.number().int()
  const upTo = (/** @type {number} */ max) => integer.min(0).max(max)
  const text = (/** @type {number} */ max) => z.string().max(max)
  const amount = z.number().min(0)
  const name = z.string().min(1).max(100)
  const numberParam = z.coerce.number().min(0)
  const flagParam = z.enum(['true', 'false']).transform((sent) => sent === 'true')
  const Company = z.object({
    name,
    founded: upTo(3000),
    units: z
      .array(
        z.object({
          name,
          budget: amount,
          teams: z.array(
            z.object({
              name,
              remote: z.boolean(),
              lead: z.object({
                id: integer.min(1),
                name,
                contact: z.object({
                  email: text(100),
                  phone: text(30).optional(),
                  address: z.object({
                    street: text(100),
                    city: text(100),
                    zip: text(12).optional(),
                    country: text(2),
                  }),
                }),
              }),
              members: z.array(
                z.object({
                  id: integer.min(1),
                  name,
                  role: z.enum(['engineer', 'designer', 'analyst', 'manager']),
                  active: z.boolean(),
                  skills: z.array(text(30)).max(10),
                }),
              ),
            }),
          ),
        }),
      )
      .max(20),
  })
  const payment = {
    reference: z.string().regex(/^INV-\d{4}-\d{6}$/),
    amount,
    currency: z.enum(['EUR', 'GBP', 'USD']),
    method: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('card'),
        number: z.string().regex(/^\d{16}$/),
        expires: z.string().regex(/^\d{4}-\d{2}$/),
        holder: text(100),
      }),
      z.object({
        kind: z.literal('transfer'),
        iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/),
        bic: text(11).optional(),
        holder: text(100),
      }),
      z.object({ kind: z.literal('wallet'), provider: z.enum(['blue', 'green']), token: text(200) }),
    ]),
    parts: z
      .array(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('share'), account: text(30), percent: amount.max(100) }),
          z.object({ kind: z.literal('fixed'), account: text(30), amount }),
        ]),
      )
      .max(50),
  }
  return {
    Company,
    Form: z.object({
      title: text(10).optional(),
      first_name: name,
      middle_name: text(100).optional(),
      last_name: name,
      email: text(100),
      phone: text(30).optional(),
      street: text(100),
      house: text(10),
      city: text(100),
      zip: text(12),
      region: text(100).optional(),
      country: text(2),
      nationality: text(2),
      language: text(5),
      occupation: text(100).optional(),
      employer: text(100).optional(),
      iban: text(34),
      bank: text(100).optional(),
      tax_number: text(20),
      comment: text(500).optional(),
      age: upTo(150),
      children: upTo(30),
      dependants: upTo(30),
      years_employed: upTo(100),
      rooms: upTo(100),
      floor: upTo(200),
      cars: upTo(50),
      pets: upTo(50),
      income: amount,
      rent: amount,
      savings: amount,
      debts: amount,
      rating: amount.max(5),
      height: amount.max(3),
      married: z.boolean(),
      owner: z.boolean(),
      smoker: z.boolean(),
      newsletter: z.boolean(),
      terms: z.boolean(),
      plan: z.enum(['basic', 'premium']),
    }),
    Received: z.object({ id: integer, status: z.string() }),
    ProductsQuery: z.object({
      q: text(100).optional(),
      category: text(50).optional(),
      brands: z.union([z.array(z.string()), z.string().transform((one) => [one])]).optional(),
      min_price: numberParam.optional(),
      max_price: numberParam.optional(),
      currency: z.enum(['EUR', 'GBP', 'USD']).optional(),
      in_stock: flagParam.optional(),
      on_sale: flagParam.optional(),
      min_rating: z.coerce.number().int().min(1).max(5).optional(),
      sort: z.enum(['price', 'rating', 'title']).optional(),
      page: z.coerce.number().int().min(1).default(1),
      per_page: z.coerce.number().int().min(1).max(100).default(50),
    }),
    Products: z.object({
      q: z.string().optional(),
      category: z.string().optional(),
      brands: z.array(z.string()).optional(),
      min_price: z.number().optional(),
      max_price: z.number().optional(),
      currency: z.string().optional(),
      in_stock: z.boolean().optional(),
      on_sale: z.boolean().optional(),
      min_rating: integer.optional(),
      sort: z.string().optional(),
      page: integer,
      per_page: integer,
    }),
    Rows: z.object({
      rows: z
        .array(
          z.object({
            sku: z.string().regex(/^[A-Z]{3}-\d{4}$/),
            quantity: integer.min(1).max(999),
            price: amount,
            note: text(200).optional(),
          }),
        )
        .max(1000),
    }),
    Counted: z.object({ accepted: integer, total: integer }),
    PaymentPayload: z.object(payment),
    Payment: z.object({ id: integer, ...payment }),
    Book: z.object({
      id: integer,
      title: z.string(),
      pages: integer,
      published_at: z.date(),
      author: z.object({ id: integer, name: z.string(), country: z.string() }),
      reviews: z.array(
        z.object({
          id: integer,
          rating: integer,
          text: z.string(),
          reviewer: z.object({ id: integer, name: z.string() }),
        }),
      ),
    }),
  }
}
