// Writing 100 objects that hold more than their declaration shows.
import fastJson from 'fast-json-stringify'
import { t } from '../../src/index.ts'
import { compileBody } from '../../src/server/render/bodies.ts'
import type { Exchange } from '../../src/server/request/exchange.ts'
import { type Subject, subject } from './subject.ts'

const ITEMS = Array.from({ length: 100 }, (_, i) => ({
  id: i + 1,
  title: `The title of item ${i}`,
  kind: i % 2 === 0 ? 'personal' : 'company',
  rating: (i % 10) / 2,
  published: i % 3 === 0,
  tags: ['one', 'two'],
  author: { id: i * 7, name: `Author ${i}`, secret: 'never' },
  secret: 'never',
}))
type Item = (typeof ITEMS)[number]

const attribute = t.object({
  id: t.integer({ required: true }),
  title: t.string({ required: true, max: 200 }),
  kind: t.string({ required: true, values: ['personal', 'company'] }),
  rating: t.number({ min: 0, max: 5 }),
  published: t.boolean(),
  tags: t.array(t.string()),
  author: t.object({ id: t.integer({ required: true }), name: t.string() }),
})

function edict(checks: boolean): () => unknown {
  const body = compileBody({ identifier: 'application/json', attribute, list: true, absent: undefined }, undefined)
  // All that writing a body asks of the request it belongs to.
  const exchange = { services: { checksBody: () => checks } } as unknown as Exchange
  return () => {
    const written = body.write(ITEMS, exchange)
    return 'body' in written ? written.body : written
  }
}

const project = ({ id, title, kind, rating, published, tags, author }: Item): object => {
  const writer = { id: author.id, name: author.name }
  return { id, title, kind, rating, published, tags, author: writer }
}

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const fast = fastJson({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: integer,
      title: text,
      kind: text,
      rating: { type: 'number' },
      published: { type: 'boolean' },
      tags: { type: 'array', items: text },
      author: { type: 'object', properties: { id: integer, name: text } },
    },
  },
})

/** All ways to write the list. */
export function renderSubjects(): Subject[] {
  const ways = {
    edict: edict(false),
    'edict, limits checked': edict(true),
    'projection + JSON.stringify': () => JSON.stringify(ITEMS.map(project)),
    'fast-json-stringify': () => fast(ITEMS),
  }
  const { title, ways: timed } = subject('Writing 100 objects', ways, JSON.stringify(ITEMS.map(project)))
  return [{ title, ways: [...timed, { name: 'JSON.stringify of all', work: () => JSON.stringify(ITEMS) }] }]
}
