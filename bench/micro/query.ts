// Reading a query string with a list, a nested name and encoded text, to texts and to values of the declared kinds.
import fastQuery from 'fast-querystring'
import { parse as picoParse } from 'picoquery'
import qs from 'qs'
import { attributeRules } from '../../src/design/attribute-rules.ts'
import { t } from '../../src/index.ts'
import { INVALID } from '../../src/schema/issue.ts'
import { Loading } from '../../src/schema/loading.ts'
import { parseQuery } from '../../src/server/query/parse-query.ts'
import { createTree, createTreeForm, TreeWriter } from '../../src/server/query/value-tree.ts'
import { inTurn, type Subject, subject } from './subject.ts'

const QUERIES = Array.from({ length: 256 }, (_, i) =>
  Buffer.from(
    `q=hello%20world&limit=${100 + (i % 2)}&order=title&draft=true&tags=one&tags=two&author[id]=${500 + (i % 2)}`,
  ).toString(),
)

const attributes = {
  q: t.string(),
  limit: t.integer({ min: 1, max: 200 }),
  order: t.string({ values: ['title', 'id'] }),
  draft: t.boolean(),
  tags: t.array(t.string()),
  author: t.object({ id: t.integer() }),
}
const form = createTreeForm(t.object(attributes), 8)
const loader = attributeRules.getLoader(t.object(attributes))

interface Sent {
  readonly [name: string]: unknown
}

const tree = (text: string, loading: Loading): Sent => {
  const raw = createTree()
  if (!parseQuery(text, 0, new TreeWriter(raw, form, loading))) throw new Error('too much')
  return raw as Sent
}

function loaded(text: string): unknown {
  const loading = new Loading('text')
  const value = loader(tree(text, loading), loading)
  if (value === INVALID) throw new Error('refused')
  return value
}

const PICO = { nesting: true, nestingSyntax: 'index', arrayRepeat: true, arrayRepeatSyntax: 'repeat' } as const

const integer = (text: unknown): number => {
  if (typeof text !== 'string' || !/^-?\d{1,15}$/.test(text)) throw new Error('no integer')
  return Number(text)
}

/** Coercion written out for this query, from an object of texts. */
function coerced(sent: Sent, author: unknown): unknown {
  const { q, order, draft, tags } = sent
  const limit = integer(sent['limit'])
  if (limit < 1 || limit > 200 || (order !== 'title' && order !== 'id')) throw new Error('refused')
  if (draft !== 'true' && draft !== 'false') throw new Error('no boolean')
  return { q, limit, order, draft: draft === 'true', tags: Array.isArray(tags) ? tags : [tags], author }
}

const nested = (sent: Sent): unknown => coerced(sent, { id: integer((sent['author'] as Sent)['id']) })
const flat = (sent: Sent): unknown => coerced(sent, { id: integer(sent['author[id]']) })

function fromParams(text: string): unknown {
  const params = new URLSearchParams(text)
  const one = (name: string): string | null => params.get(name)
  const sent = {
    q: one('q'),
    limit: one('limit'),
    order: one('order'),
    draft: one('draft'),
    tags: params.getAll('tags'),
  }
  return coerced(sent, { id: integer(params.get('author[id]')) })
}

const each = (ways: Readonly<Record<string, (text: string) => unknown>>): Record<string, () => unknown> =>
  Object.fromEntries(Object.entries(ways).map(([name, work]) => [name, inTurn(QUERIES, work)]))

/** All ways to read the query. */
export function querySubjects(): Subject[] {
  const texts = { q: 'hello world', limit: '101', order: 'title', draft: 'true', tags: ['one', 'two'] }
  const toTexts = subject(
    'Query to nested texts',
    each({
      edict: (text) => tree(text, new Loading('text')),
      qs: (text) => qs.parse(text),
      picoquery: (text) => picoParse(text, PICO),
    }),
    { ...texts, author: { id: '501' } },
  )
  const toFlat = each({ 'fast-querystring, flat': (text) => fastQuery.parse(text) })
  const flatTexts = subject('Query to flat texts', toFlat, { ...texts, 'author[id]': '501' })
  const toValues = subject(
    'Query to values',
    each({
      edict: loaded,
      'qs + coercion': (text) => nested(qs.parse(text)),
      'picoquery + coercion': (text) => nested(picoParse(text, PICO) as Sent),
      'fast-querystring + coercion': (text) => flat(fastQuery.parse(text)),
      'URLSearchParams + coercion': fromParams,
    }),
    { q: 'hello world', limit: 101, order: 'title', draft: true, tags: ['one', 'two'], author: { id: 501 } },
  )
  return [{ ...toTexts, ways: [...toTexts.ways, ...flatTexts.ways] }, toValues]
}
