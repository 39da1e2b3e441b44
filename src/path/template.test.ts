// Tests of edits of a pattern's source.
import { describe, expect, it } from 'vitest'
import { compilePattern, groupAlternatives, renameCaptures } from './index.ts'

describe('renameCaptures', () => {
  it('renames captures and named wildcards, and nothing that only looks like one', () => {
    expect(renameCaptures('/a/:id(.:ext)?/\\:id/*rest/:idx', { id: 'blog_id', rest: 'tail' })).toBe(
      '/a/:blog_id(.:ext)?/\\:id/*tail/:idx',
    )
    expect(renameCaptures('/:constructor', {})).toBe('/:constructor')
  })
})

describe('groupAlternatives', () => {
  it('lets text stand before and after alternatives', () => {
    const source = `/x${groupAlternatives('/:id|/new')}`
    expect(source).toBe('/x(/:id|/new)')
    expect(compilePattern(source).match('/x/new')).toEqual(Object.assign(Object.create(null), { id: 'new' }))
    expect(groupAlternatives('/a(b|c)\\|d')).toBe('/a(b|c)\\|d')
  })
})
