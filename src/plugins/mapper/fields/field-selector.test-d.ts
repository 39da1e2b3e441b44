// The types of the parameter `fields`: valid declarations, and the values that controllers receive.
import { describe, expectTypeOf, it } from 'vitest'
import type { Selection } from '../../../design/fields/selection.ts'
import { endpoint, mediaType, route, t } from '../../../index.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { FieldSelector } from './field-selector.ts'

const Blog = mediaType('Blog', { attributes: { id: t.integer({ required: true }) }, views: { short: ['id'] } })
const Blogs = endpoint('Blogs', {
  actions: {
    show: { routing: route.get('/'), params: { fields: FieldSelector.for(Blog) }, responses: { ok: Blog } },
  },
})

describe('the param fields', () => {
  it('is a selection that may be absent', () => {
    expectTypeOf(FieldSelector.for(Blog)).toExtend<Attribute<Selection, false>>()
    Blogs.implement({
      show({ fields }, { request, reply }) {
        expectTypeOf(fields).toEqualTypeOf<Selection | undefined>()
        expectTypeOf(request.params.fields).toEqualTypeOf<Selection | undefined>()
        if (fields !== undefined) expectTypeOf(fields.fields.get('id')).toEqualTypeOf<Selection | undefined>()
        return reply.ok({ id: 1 })
      },
    })
  })

  it('is of a media type and takes no other options', () => {
    FieldSelector.for(Blog, { description: 'What to show' })
    // @ts-expect-error a selection is from a media type
    FieldSelector.for(t.object({ id: t.integer() }))
    // @ts-expect-error a selection is never required
    FieldSelector.for(Blog, { required: true })
  })
})
