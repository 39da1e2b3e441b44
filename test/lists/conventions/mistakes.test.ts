// Conventions that contradict themselves: each does not boot, and says what to take away.
import { type Application, type Attribute, application, endpoint, mediaType, route, t } from 'edict'
import { mapper } from 'edict/mapper'
import {
  aip,
  type ConventionDescription,
  constant,
  convention,
  cursors,
  jsonApi,
  jsonApiPages,
  limitOffset,
  optional,
  pageNumbers,
  pagination,
  stripe,
} from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../support/ask.ts'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }), title: t.string() } })

const base = { name: 'house', params: { limit: 'items', skip: 'offset' }, body: { rows: 'elements' } } as const

const settings = { orderBy: ['title'], filterBy: { title: {} }, fields: true } as const

function listing(list: { params: object; body: unknown; answer: unknown }): Application {
  const Books = endpoint('Books', {
    actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
  } as never)
  const plugins = [mapper(), pagination()]
  return application({ plugins, controllers: [Books.implement({ index: () => '' } as never)] })
}

const told = (description: object): string[] =>
  mistakesOf(() =>
    listing(convention({ ...base, ...description } as ConventionDescription).for(Book, settings as object)),
  ).map(({ setting, problem }) => `${setting}: ${problem}`)

const element = {
  declare: (): Attribute => t.object({ name: t.string() }) as Attribute,
  write: () => () => ({ name: 'x' }),
}

describe('a convention', () => {
  it.each<readonly [string, object, string]>([
    [
      'with two params of one role',
      { params: { limit: 'items', top: 'items', skip: 'offset' } },
      "params.limit: house has the role 'items' for limit and top: name one param with it",
    ],
    [
      'with two params of one role, one of them in a structure',
      { params: { page: { size: 'items', from: 'offset' }, limit: 'items' } },
      "params.page: house has the role 'items' for page[size] and limit: name one param with it",
    ],
    [
      'with a role that is none',
      { params: { limit: 'itemz', skip: 'offset' } },
      "params.skip: house has 'itemz' for limit, which is no role of a param",
    ],
    [
      'that says an order in two ways',
      { params: { ...base.params, sort: 'order', by: 'orderWords' } },
      'params.limit: house has params with the roles order and orderWords, which say the same: keep one of them',
    ],
    [
      'that filters in two ways',
      { params: { ...base.params, where: 'filterWords', filter: 'filterMembers' } },
      'params.limit: house has params with the roles filterWords and filterMembers, which say the same: keep one of them',
    ],
    [
      'that numbers elements and pages',
      { params: { ...base.params, page: 'page' } },
      'params.limit: house has params with the roles offset and page, which say the same: keep one of them',
    ],
    [
      'that takes numbers and places',
      { params: { ...base.params, after: 'after' }, headers: { link: true } },
      'params.limit: house requests a part by its number and by its cursor: keep the params of one of them',
    ],
    [
      "with cursors: 'key' and a form of elements",
      { params: { limit: 'items', after: 'after' }, cursors: 'key', element },
      "params.limit: house has cursors: 'key' and a form of elements, which may not have their key: take one of them away",
    ],
    [
      "with cursors: 'key' and no cursor",
      { cursors: 'key' },
      "params.limit: house has cursors: 'key', and no param takes a cursor: take it away",
    ],
    [
      "with cursors: 'key' and a token",
      { params: { limit: 'items', next: 'token' }, cursors: 'key' },
      "params.limit: house has cursors: 'key' and a token, which is no key: name the role 'after' or 'before'",
    ],
    [
      'that counts when asked, and always shows the total',
      { params: { ...base.params, count: 'count' }, body: { rows: 'elements', of: 'total' } },
      "params.limit: the body of house has 'total' as of, and a param with the role 'count', without which nothing is counted: name it with 'optional', or take the param away",
    ],
    [
      'that counts when asked, and always shows the number of pages',
      { params: { limit: 'items', page: 'page', count: 'count' }, body: { rows: 'elements', in: { pages: 'pages' } } },
      "params.limit: the body of house has 'pages' as in.pages, and a param with the role 'count', without which nothing is counted: name it with 'optional', or take the param away",
    ],
    [
      'whose pages have no numbers, and which shows one',
      { params: { limit: 'items', after: 'after' }, body: { rows: 'elements', page: 'page', next: 'next' } },
      "params.limit: the body of house has 'page' as page, and no param has the role 'offset' or 'page': take it away",
    ],
    [
      'that answers 0 and too many of what nobody can ask for',
      { params: { skip: 'offset' }, onExceed: 'clamp' },
      "params.skip: house has onExceed, and no param has the role 'items': take it away",
    ],
    [
      'that leaves out what every page has',
      { body: { rows: 'elements', at: { '~optional': 'offset' } } },
      "params.limit: the body of house has 'offset' as at, which every page has: name it without 'optional' or 'orEmpty'",
    ],
    [
      'with an empty text for a number',
      { body: { rows: 'elements', of: { '~orEmpty': 'total' } } },
      "params.limit: the body of house has 'total' as of, which is no text: name it with 'optional'",
    ],
    [
      'with a param for each field under a name of its own',
      { params: { ...base.params, where: 'filterFields' } },
      "params.limit: house has the param 'where': '*' is the name of the role 'filterFields', and of no other",
    ],
    [
      'with another role for all fields',
      { params: { ...base.params, '*': 'filterMembers' } },
      "params.limit: house has the param '*': '*' is the name of the role 'filterFields', and of no other",
    ],
    [
      'that only goes back',
      { params: { limit: 'items', before: 'before' }, headers: { link: true } },
      "params.limit: house goes back by the role 'before', and never on: name a param with the role 'after'",
    ],
    [
      'that takes cursors and gives none out',
      { params: { limit: 'items', after: 'after', before: 'before' }, body: { rows: 'elements', next: 'nextToken' } },
      "params.limit: house takes cursors by the role 'before', and gives none out: name 'prev' or 'prevToken' in its body, or let its headers link",
    ],
    [
      'that gives out cursors which no param takes',
      { params: { limit: 'items', after: 'after' }, body: { rows: 'elements', next: 'next', back: 'prevToken' } },
      "params.limit: the body of house has 'prevToken', and no param takes it",
    ],
    [
      'without a param for a part',
      { params: { sort: 'order' } },
      'params.sort: house has no param for the part of a list: name an offset, a page or a cursor',
    ],
  ])('%s', (_, description, expected) => {
    expect(told(description)).toEqual([expected])
  })

  it.each<readonly [string, object, string]>([
    ['a field that does not exist', { isbn: {} }, "params.limit: it names 'isbn', which is not an attribute of Book"],
    [
      'a field with the name of another param',
      { limit: {} },
      "params.limit: filterBy names 'limit', and house has a param of that name: leave the field out",
    ],
    [
      'an operator that no request can have',
      { title: { operators: ['=', '!='] } },
      "params.limit: operators of 'title' names !=, which house cannot say: its operators are = > >= < <=",
    ],
    [
      'wildcards',
      { title: { wildcards: true } },
      "params.limit: 'title' has wildcards, which house cannot say: take them away",
    ],
  ])('with params for fields refuses %s', (_, filterBy, expected) => {
    const Named = mediaType('Book', { attributes: { ...Book.attributes, limit: t.integer() } })
    const fields = convention({ ...base, params: { ...base.params, '*': 'filterFields' } })
    const list = fields.for(Named, { filterBy } as object) as never
    expect(mistakesOf(() => listing(list)).map(({ setting, problem }) => `${setting}: ${problem}`)).toContain(expected)
  })

  it.each([
    ['its own', base],
    ['a count in a header', { ...base, params: { ...base.params, count: 'count' }, headers: { total: 'X-Total' } }],
    ['keys', { ...base, params: { limit: 'items', after: 'after', before: 'before' }, cursors: 'key' }],
    [
      'a count that is left out',
      { ...base, params: { ...base.params, count: 'count' }, body: { rows: 'elements', of: optional('total') } },
    ],
    ['constants and facts', { ...base, body: { ok: constant(true), rows: 'elements', at: 'offset', of: 'total' } }],
  ])('without a mistake boots: %s', (_, description) => {
    expect(told(description)).toEqual([])
  })

  it('of the package boots', () => {
    const all = [aip, cursors, limitOffset, pageNumbers, stripe, jsonApi, jsonApiPages] as readonly object[]
    for (const one of all)
      expect(mistakesOf(() => listing((one as typeof limitOffset).for(Book, {}) as never))).toEqual([])
  })
})
