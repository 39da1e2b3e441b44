// Paths of routes: the parts from parents, prefixes and the route itself.
import { describe, expect, it } from 'vitest'
import { joinPath } from './resolve-routes.ts'

describe('the path of a route', () => {
  it.each([
    [{ prefix: '/books', parentPath: '' }, '/', { path: '/books', base: '/books', slash: true }],
    [{ prefix: '/books', parentPath: '' }, '', { path: '/books', base: '/books', slash: true }],
    [{ prefix: 'books/', parentPath: '' }, ':id', { path: '/books/:id', base: '/books', slash: false }],
    [{ prefix: '/books', parentPath: '' }, '/:id/', { path: '/books/:id/', base: '/books', slash: false }],
    [{ prefix: '/books', parentPath: '' }, '//all', { path: '/all', base: '', slash: false }],
    [{ prefix: '/books', parentPath: '' }, '//', { path: '/', base: '', slash: false }],
    [{ prefix: '//', parentPath: '' }, '/', { path: '/', base: '', slash: false }],
    [{ prefix: '', parentPath: '' }, '/x', { path: '/x', base: '', slash: false }],
    [
      { prefix: '/pages', parentPath: '/books/:book_id' },
      '/:id',
      { path: '/books/:book_id/pages/:id', base: '/books/:book_id/pages', slash: false },
    ],
    [
      { prefix: '/pages', parentPath: '/books/:book_id' },
      '//last',
      { path: '/books/:book_id/last', base: '/books/:book_id', slash: false },
    ],
    [
      { prefix: '//', parentPath: '/books/:book_id' },
      '/',
      { path: '/books/:book_id', base: '/books/:book_id', slash: true },
    ],
    [{ prefix: '/a|/b', parentPath: '' }, '/x|y', { path: '(/a|/b)(/x|y)', base: '(/a|/b)', slash: false }],
  ])('%o with %s', (start, own, joined) => {
    expect(joinPath(start, own)).toEqual(joined)
  })
})
