// Loading a payload of 600 bytes: parsed from its text each time, since some ways change what they are given.
import { Ajv } from 'ajv'
import { z } from 'zod'
import { attributeRules } from '../../src/design/attribute-rules.ts'
import { t } from '../../src/index.ts'
import { INVALID } from '../../src/schema/issue.ts'
import { Loading } from '../../src/schema/loading.ts'
import { type Subject, subject } from './subject.ts'

const VALID = {
  title: 'A title of some length for a blog',
  kind: 'personal',
  tags: ['typescript', 'http', 'apis', 'contracts'],
  rating: 4.5,
  published: true,
  author: {
    id: 12,
    name: 'Jane Doe',
    email: 'jane.doe@example.org',
    address: { street: '12 Long Street', city: 'Vienna', zip: '1010' },
  },
  links: [
    { rel: 'self', href: 'https://example.org/blogs/12', weight: 1 },
    { rel: 'next', href: 'https://example.org/blogs/13', weight: 2 },
  ],
  summary: 'A few sentences about what is in here, so that the payload has a size that is common. '.repeat(2).trim(),
}
const INVALID_PAYLOAD = { ...VALID, kind: 'none', rating: 'high', author: { ...VALID.author, id: 0 } }

const attribute = t.object({
  title: t.string({ required: true, min: 1, max: 200 }),
  kind: t.string({ required: true, values: ['personal', 'company'] }),
  tags: t.array(t.string({ max: 50 }), { max: 20 }),
  rating: t.number({ min: 0, max: 5 }),
  published: t.boolean(),
  author: t.object(
    {
      id: t.integer({ required: true, min: 1 }),
      name: t.string({ required: true }),
      email: t.string(),
      address: t.object({ street: t.string(), city: t.string({ required: true }), zip: t.string({ max: 12 }) }),
    },
    { required: true },
  ),
  links: t.array(
    t.object({ rel: t.string({ required: true }), href: t.string({ required: true }), weight: t.integer() }),
  ),
  summary: t.string({ max: 1000 }),
})

const zodSchema = z.strictObject({
  title: z.string().min(1).max(200),
  kind: z.enum(['personal', 'company']),
  tags: z.array(z.string().max(50)).max(20).optional(),
  rating: z.number().min(0).max(5).optional(),
  published: z.boolean().optional(),
  author: z.strictObject({
    id: z.number().int().min(1),
    name: z.string(),
    email: z.string().optional(),
    address: z
      .strictObject({ street: z.string().optional(), city: z.string(), zip: z.string().max(12).optional() })
      .optional(),
  }),
  links: z.array(z.strictObject({ rel: z.string(), href: z.string(), weight: z.number().int().optional() })).optional(),
  summary: z.string().max(1000).optional(),
})

const text = { type: 'string' }
const object = (properties: object, required: string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const jsonSchema = object(
  {
    title: { type: 'string', minLength: 1, maxLength: 200 },
    kind: { type: 'string', enum: ['personal', 'company'] },
    tags: { type: 'array', items: { type: 'string', maxLength: 50 }, maxItems: 20 },
    rating: { type: 'number', minimum: 0, maximum: 5 },
    published: { type: 'boolean' },
    author: object(
      {
        id: { type: 'integer', minimum: 1 },
        name: text,
        email: text,
        address: object({ street: text, city: text, zip: { type: 'string', maxLength: 12 } }, ['city']),
      },
      ['id', 'name'],
    ),
    links: { type: 'array', items: object({ rel: text, href: text, weight: { type: 'integer' } }, ['rel', 'href']) },
    summary: { type: 'string', maxLength: 1000 },
  },
  ['title', 'kind', 'author'],
)

type Load = (text: string) => unknown

const loader = attributeRules.getLoader(attribute)
const edict: Load = (text) => {
  const loaded = loader(JSON.parse(text), new Loading('json'))
  return loaded === INVALID ? false : loaded
}

const zod: Load = (text) => {
  const { success, data } = zodSchema.safeParse(JSON.parse(text))
  return success ? data : false
}

function ajv(allErrors: boolean): Load {
  // The options that Fastify gives to Ajv unless it is told otherwise, but for the last.
  const validate = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true, allErrors }).compile(
    jsonSchema,
  )
  return (text) => {
    const value: unknown = JSON.parse(text)
    return validate(value) ? value : false
  }
}

const isText = (value: unknown, max = Number.POSITIVE_INFINITY): boolean =>
  value === undefined || (typeof value === 'string' && value.length <= max)
const isList = (value: unknown, each: (one: never) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => each(one as never)))

// Checks what the schemas check, but for unknown names, which it leaves behind by copying the known ones.
const byHand: Load = (text) => {
  const { title, kind, tags, rating, published, author, links, summary } = JSON.parse(text) as typeof VALID
  if (typeof title !== 'string' || title.length < 1 || title.length > 200) return false
  if (kind !== 'personal' && kind !== 'company') return false
  if (!isList(tags, (tag) => typeof tag === 'string' && isText(tag, 50)) || tags?.length > 20) return false
  if (rating !== undefined && !(typeof rating === 'number' && rating >= 0 && rating <= 5)) return false
  if (published !== undefined && typeof published !== 'boolean') return false
  if (typeof author !== 'object' || author === null || !Number.isInteger(author.id) || author.id < 1) return false
  const { id, name, email, address } = author
  if (typeof name !== 'string' || !isText(email)) return false
  if (address !== undefined && !(typeof address.city === 'string' && isText(address.street) && isText(address.zip, 12)))
    return false
  if (!isList(links, isLink) || !isText(summary, 1000)) return false
  const { street, city, zip } = address
  const kept = links?.map(({ rel, href, weight }) => ({ rel, href, weight }))
  const writer = { id, name, email, address: { street, city, zip } }
  return { title, kind, tags, rating, published, author: writer, links: kept, summary }
}

function isLink(link: { rel?: unknown; href?: unknown; weight?: unknown }): boolean {
  const { rel, href, weight } = link
  return typeof rel === 'string' && typeof href === 'string' && (weight === undefined || Number.isInteger(weight))
}

/** All ways to load the payload. */
export function payloadSubjects(): Subject[] {
  const [good, bad] = [JSON.stringify(VALID), JSON.stringify(INVALID_PAYLOAD)]
  const ways = {
    edict,
    "Ajv, Fastify's options": ajv(false),
    'Ajv, all errors': ajv(true),
    'zod 4': zod,
    'by hand': byHand,
  }
  const on = (text: string): Record<string, () => unknown> =>
    Object.fromEntries(Object.entries(ways).map(([name, load]) => [name, () => load(text)]))
  const parsing = (text: string) => ({ name: 'JSON.parse alone', work: () => JSON.parse(text) as unknown })
  const valid = subject(`Payload of ${good.length} bytes, valid`, on(good), VALID)
  const invalid = subject(`Payload of ${bad.length} bytes, three errors`, on(bad), false)
  return [
    { ...valid, ways: [...valid.ways, parsing(good)] },
    { ...invalid, ways: [...invalid.ways, parsing(bad)] },
  ]
}
