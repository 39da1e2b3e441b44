// Attributes by path: the attributes that a path may pass, and the one that it resolves to.
import { describe, expect, it } from 'vitest'
import { type MediaType, mediaType } from '../../../design/declare/media-type.ts'
import { t } from '../../../schema/t.ts'
import { findField, findFilterField, isShownField, listComparableFields, listOrderableFields } from './field-paths.ts'

const tag = t.string()
const likes = t.integer()
const Post = mediaType('Post', { attributes: { likes, tags: t.array(tag), blog: t.ref(() => Blog) } })
const posts = t.array(Post)
const grid = t.array(t.array(t.integer()))
const Blog: MediaType = mediaType('Blog', {
  attributes: { first: Post, posts, grid, notes: t.record(tag), either: t.any() },
})

describe('filterFieldAt', () => {
  it.each([
    ['first.likes', likes],
    ['posts.likes', likes],
    ['posts.tags', tag],
    ['first.blog.posts.tags', tag],
    ['posts', posts],
    ['first', Post],
    ['grid', grid],
    ['', undefined],
    ['posts.', undefined],
    ['posts.*', undefined],
    ['posts.*.likes', undefined],
    ['posts.tags.*', undefined],
    ['notes.*', undefined],
    ['grid.*', undefined],
    ['either.x', undefined],
    ['__proto__', undefined],
    ['posts.constructor', undefined],
  ])('%s', (path, expected) => {
    expect(findFilterField(Blog, path)).toBe(expected)
  })
})

describe('fieldAt', () => {
  it('does not lead through lists', () => {
    expect(findField(Blog, 'posts')).toBe(posts)
    expect(findField(Blog, 'posts.likes')).toBeUndefined()
    expect(findField(Blog, 'first.likes')).toBe(likes)
  })
})

describe('lists of fields', () => {
  it('hold those directly below, and those of lists where values are only compared', () => {
    const Shown = mediaType('Shown', { attributes: Blog.attributes, views: { default: ['first', 'posts', 'grid'] } })
    expect(listOrderableFields(Shown)).toEqual(['first.likes'])
    expect(listComparableFields(Shown)).toEqual(['first.likes', 'first.tags', 'posts.likes', 'posts.tags'])
  })

  it('hold nothing that a default view hides, neither here nor below', () => {
    expect([listOrderableFields(Blog), listComparableFields(Blog)]).toEqual([[], []])
    const Inner = mediaType('Inner', {
      attributes: { open: t.string(), hidden: t.string(), all: t.array(t.string()) },
      views: { default: ['open'], all: ['hidden'] },
    })
    const Outer = mediaType('Outer', {
      attributes: { id: t.integer(), hidden: t.string(), inner: Inner, other: Inner.view('all'), gone: Inner },
      views: { default: ['id', 'inner', 'other'] },
    })
    expect(listOrderableFields(Outer)).toEqual(['id', 'inner.open', 'other.hidden'])
    expect(listComparableFields(Outer)).toEqual(['id', 'inner.open', 'other.hidden'])
    const shown = ['id', 'hidden', 'inner.open', 'inner.hidden', 'other.open', 'other.hidden', 'gone.open', 'inner']
    expect(shown.filter((path) => isShownField(Outer, path))).toEqual(['id', 'inner.open', 'other.hidden', 'inner'])
  })
})
