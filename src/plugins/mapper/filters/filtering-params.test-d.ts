// The types of the parameter `filters`.
import { assertType, describe, expectTypeOf, it } from 'vitest'
import { collectionOf } from '../../../design/declare/collection.ts'
import { mediaType } from '../../../design/declare/media-type.ts'
import { route } from '../../../design/declare/route.ts'
import { endpoint } from '../../../design/endpoint.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { t } from '../../../schema/t.ts'
import type { FilterExpression } from './expression.ts'
import { FilteringParams } from './filtering-params.ts'

const Author = mediaType('Author', { attributes: { id: t.integer() } })
const Blog = mediaType('Blog', { attributes: { title: t.string(), created_at: t.dateTime(), author: Author } })

describe('FilteringParams.for', () => {
  it('takes attributes and paths below them', () => {
    const filters = FilteringParams.for(Blog, {
      title: { operators: ['=', '!='], wildcards: true },
      'author.id': { operators: ['='] },
      created_at: {},
    })
    expectTypeOf(filters).toEqualTypeOf<Attribute<FilterExpression, false>>()
    expectTypeOf(FilteringParams.for(Blog)).toEqualTypeOf<Attribute<FilterExpression, false>>()
    assertType(FilteringParams.for(Blog, undefined, { description: 'Which ones.' }))
  })

  it('refuses what is not an attribute, not an operator, not a setting', () => {
    // @ts-expect-error: no such attribute
    FilteringParams.for(Blog, { name: {} })
    // @ts-expect-error: no attribute that a path could go below
    FilteringParams.for(Blog, { 'owner.id': {} })
    // @ts-expect-error: no such operator
    FilteringParams.for(Blog, { title: { operators: ['~'] } })
    // @ts-expect-error: no such setting
    FilteringParams.for(Blog, { title: { with: ['='] } })
  })

  it('gives controllers an expression, or nothing', () => {
    const Blogs = endpoint('Blogs', {
      actions: {
        list: {
          routing: route.get('/'),
          params: { filters: FilteringParams.for(Blog) },
          responses: { ok: collectionOf(Blog) },
        },
      },
    })
    Blogs.implement({
      list: ({ filters }, { reply }) => {
        expectTypeOf(filters).toEqualTypeOf<FilterExpression | undefined>()
        return reply.ok([])
      },
    })
  })
})
