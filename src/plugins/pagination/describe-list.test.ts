// The list of an action as data: with edict's own params, whichever there are, and in conventions.
import { collectionOf, endpoint, mediaType, route, t } from 'edict'
import type { ResolvedAction } from 'edict/extend'
import { FilteringParams } from 'edict/mapper'
import { cursors, jsonApiPages, OrderingParams, PaginationParams } from 'edict/pagination'
import { describeList, type ListDescription } from 'edict/pagination/extend'
import { expect, test } from 'vitest'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), code: t.string({ required: true }), year: t.integer() },
})

/** Returns the description of the list of an action with these params. */
function describe(params: object, ok: unknown = collectionOf(Book)): ListDescription | undefined {
  const actions = { index: { routing: route.get('/'), params, responses: { ok } } }
  const Books = endpoint('Books', { mediaType: Book, actions } as never)
  const { actions: resolved } = (Books as unknown as { resolve(): { actions: Map<string, ResolvedAction> } }).resolve()
  return describeList(resolved.get('index') as ResolvedAction)
}

const listParams = (list: ListDescription | undefined) =>
  [...(list?.params ?? [])].map(([role, { name }]) => [role, name])

test('an action without params of lists has no description', () => {
  expect(describe({})).toBeUndefined()
  expect(describe({ year: t.integer() })).toBeUndefined()
})

test('each of the own params is described, with or without pages', () => {
  const pages = { pagination: PaginationParams.for(Book, { key: ['code'] }) }
  const order = { order: OrderingParams.for(Book) }
  const filters = { where: FilteringParams.for(Book, { year: {} }) }
  const all = describe({ ...pages, ...order, ...filters })
  expect(all).toMatchObject({ convention: undefined, mediaType: Book, type: undefined, hasElementForm: false })
  expect(listParams(all)).toEqual([
    ['text', 'pagination'],
    ['order', 'order'],
    ['filters', 'where'],
  ])
  expect(all?.pages).toEqual({
    param: { name: 'pagination', path: ['pagination'] },
    key: ['code'],
    isKeyDeclared: true,
    headers: { link: true, total: 'Total-Count' },
    links: 'path',
  })
  expect([...(all?.filterFields.keys() ?? [])]).toEqual(['year'])
  expect(all?.filterFields.get('year')?.operators).toContain('>=')
  for (const some of [order, filters]) expect(describe(some)).toMatchObject({ mediaType: Book, pages: undefined })
  expect(describe(order)?.filterFields.size).toBe(0)
  expect(describe({ pagination: PaginationParams.for(Book) })?.pages).toMatchObject({
    key: ['id'],
    isKeyDeclared: false,
  })
})

test('a convention has the paths of its params and of the members of its body', () => {
  const list = jsonApiPages.for(Book, { orderBy: ['year'], filterBy: { year: {} }, type: 'books' })
  const found = describe(list.params, list.body)
  expect(found).toMatchObject({ mediaType: Book, type: 'books', hasElementForm: true })
  expect(found?.pages?.param).toEqual({ name: 'page[size]', path: ['page', 'size'] })
  expect(found?.params.get('page')).toEqual({ name: 'page[number]', path: ['page', 'number'] })
  expect(found?.params.get('filterMembers')).toEqual({ name: 'filter', path: ['filter'] })
  // A structure of values expresses no other condition.
  expect(found?.filterFields.get('year')).toMatchObject({ operators: ['='], wildcards: false })
  expect(found?.members.get('elements')).toEqual(['data'])
  expect(found?.members.get('next')).toEqual(['links', 'next'])
  const plain = cursors.for(Book, {})
  expect(describe(plain.params, plain.body)).toMatchObject({ convention: 'cursors', hasElementForm: false })
  expect(describe(plain.params, plain.body)?.filterFields.size).toBe(0)
})
