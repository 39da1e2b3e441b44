// Lists of conventions on servers: their settings checked, their params judged and described, their bodies written.
import { type AnswerHeader, type ExampleSeed, type FieldsUse, form, type KindRules, type See } from '../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../index.ts'
import { byOrder, notedList } from '../../lists/extend.ts'
import { narrowed } from '../ordering-params.ts'
import { pageIn } from '../page.ts'
import type { Pagination } from '../pagination-params.ts'
import type { AskingRequest, ConventionServing } from './convention.ts'
import type { ListSettings } from './description.ts'
import { written } from './envelope.ts'
import { mappedPage, PageFacts } from './facts.ts'
import { Language } from './language.ts'
import type { DeclaredList, ListForm, ListHeaders } from './list.ts'
import { mistakesOf } from './mistakes.ts'
import type { ParamConfig } from './params.ts'

const FIELDS: form.Fields<ListSettings> = {
  order: form.list(form.text),
  orderBy: form.list(form.text),
  filterBy: form.structure,
  fields: form.choice(true),
  body: form.anything,
  headers: form.object<ListHeaders>({ link: form.flag, total: form.name }),
  key: form.list(form.text),
  maxItems: form.number,
  pageSize: form.number,
  type: form.name,
}

/** The work of servers with the lists of conventions. */
export const conventionServing: ConventionServing = {
  accept(given) {
    const { value, flaws } = form.accept(given, FIELDS)
    return { value, flaws: flaws.map((flaw) => form.sentence(flaw, 'what stands for the settings')) }
  },
  mistakesOf,
  language: (roles) => new Language(roles),
  answering(list, map) {
    const { body } = list.form as ListForm
    return (request, page) => {
      const elements = mappedPage(page, map)
      const { info } = elements
      const url = request.linkUrl ?? request.url
      const facts = new PageFacts(list, { url, pagination: decidedFor(request), info, elements })
      return written(body, (role) => facts.fact(role))
    }
  },
  pageIn,
}

function decidedFor({ params }: AskingRequest): Pagination {
  const noted = notedList(params)
  if (noted === undefined)
    throw new TypeError('A list is answered for the request of an action that declares its params')
  return noted.pagination as Pagination
}

// --- params ------------------------------------------------------------------------------

/** The rules of a param of a convention. */
export const paramRules: KindRules<ParamConfig> = {
  options: {},
  loader: ({ base }) => base.core.loader,
  dumper: ({ base }) => base.core.dumper,
  jsonSchema: ({ base }, _, schemas) => base.core.jsonSchema(schemas),
  example: ({ base, role }, _, seed) => exampleOf(base, role, seed),
  mistakes: ({ base, speaks }) => [...base.core.mistakes(), ...(speaks?.mistakes() ?? [])],
  usesFields,
  answerHeaders: ({ list, speaks }) => (speaks === undefined ? {} : headersOf(list.form as ListForm)),
  narrow: (config, see) => ({
    ...config,
    base: config.base.core.narrow(see),
    list: seenList(config.list, config.list.form as ListForm, see),
  }),
}

const PLACES: ReadonlySet<string> = new Set(['after', 'before', 'token'])

// Clients cannot make up a cursor: it comes from a response.
function exampleOf(base: Attribute, role: ParamConfig['role'], seed: ExampleSeed): unknown {
  if (PLACES.has(role)) return undefined
  if (role !== 'structure') return base.core.example(seed)
  const sizes = Object.entries(base.core.children).filter(([, one]) => one.core.scalar === 'integer')
  return Object.fromEntries(sizes.map(([name, one]) => [name, one.core.example(seed.at(name))]))
}

function usesFields({ base, name, role, list, speaks }: ParamConfig): FieldsUse | undefined {
  const of = list.config.mediaType
  if (role === 'filterMembers')
    return { param: name, of, fields: Object.keys(base.core.children).map((field) => ({ name: field, by: 'value' })) }
  const own = base.core.usesFields
  if (speaks === undefined) return own && { ...own, param: name }
  const { default: order = [] } = list.order ?? {}
  const { key: ends = [] } = list.config
  const fields = byOrder([...new Set([...order.map((term) => term.replace(/^-/, '')), ...ends])])
  return { param: name, of, fields, key: true, orders: [order], ends }
}

const TEXT = { type: 'string' } as const

function headersOf({ headers, counts }: ListForm): Readonly<Record<string, AnswerHeader>> {
  const { link = false, total } = headers
  return {
    ...(link && {
      Link: {
        description: 'The parts around this one (RFC 8288): `first`, `prev`, `next` and, where it is known, `last`.',
        schema: TEXT,
      },
    }),
    ...(total !== undefined && {
      [total]: {
        description: `The number of elements in the whole list${counts ? '' : ', where the request asks for it'}.`,
        schema: { type: 'integer', minimum: 0 },
      },
    }),
  }
}

// Fields that a client does not see are fields that there are not.
function seenList(list: DeclaredList, form: ListForm, see: See): DeclaredList {
  const of = see(form.of as Attribute) as MediaType | View
  return {
    ...list,
    config: narrowed(list.config, see),
    order: list.order && narrowed(list.order, see),
    form: { ...form, of },
  }
}
