// Tests of templates, and of edits of a pattern's source.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, groupAlternatives, renameCaptures } from './index.ts'
import { parsePathTemplate } from './path-template.ts'

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
    expect(compilePathPattern(source).match('/x/new')).toEqual(Object.assign(Object.create(null), { id: 'new' }))
    expect(groupAlternatives('/a(b|c)\\|d')).toBe('/a(b|c)\\|d')
  })
})

describe('pathTemplate', () => {
  const names = ['a', 'b', 'c', 'd']
  /** Sources in which each name occurs once: segments, optional ones, and alternatives, nested. */
  const source = fc
    .letrec<{ whole: string; part: string }>((tie) => ({
      whole: fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      part: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom('/x', '/:', '/*', '/y-:', '/\\:z'),
        tie('whole').map((one) => `(${one})?`),
        fc.tuple(tie('whole'), tie('whole')).map((both) => `(${both.join('|')})`),
      ),
    }))
    .whole.map((text) => {
      let next = 0
      return text.replace(/(?<!\\)[:*]/g, (sign) => `${sign}${names[next++] ?? `n${next}`}`)
    })
  const values = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom('1', 'ä b', 'q')])), {
    requiredKeys: [],
  })

  const outcome = (expand: () => string): string | undefined => {
    try {
      return expand()
    } catch {
      return undefined
    }
  }

  it('gives the names of the engine of patterns, and paths that it matches', () => {
    fc.assert(
      fc.property(source, values, (text, input) => {
        const [template, pattern] = [parsePathTemplate(text), compilePathPattern(text)]
        expect([template.names, template.required, template.wildcards]).toEqual([
          pattern.names,
          pattern.required,
          pattern.wildcards,
        ])
        const known = Object.fromEntries(Object.entries(input).filter(([name]) => pattern.names.includes(name)))
        const path = outcome(() => template.expand(known))
        if (path !== undefined) expect(pattern.match(path)).not.toBeNull()
        // The engine also checks that a path matches with the same values.
        else expect(() => pattern.expand(known)).toThrow()
      }),
      { numRuns: 500 },
    )
  })

  it('takes the values of wildcards without a name in their order', () => {
    const { expand, wildcards } = parsePathTemplate('/a/*(/b/*)?')
    expect([wildcards, expand({ splat: ['x/y', 'z'] }), expand({ splat: ['x'] })]).toEqual([2, '/a/x/y/b/z', '/a/x'])
    expect(() => expand({ splat: [] })).toThrow(/lacks a value/)
    expect(() => parsePathTemplate('/:id').expand({ id: '..' })).toThrow(/segment/)
  })

  it('leaves out optional parts whose values later parts need', () => {
    const { expand } = parsePathTemplate('(/x/*)?/*')
    expect([expand({ splat: ['a'] }), expand({ splat: ['a', 'b'] })]).toEqual(['/a', '/x/a/b'])
  })

  it('takes as long as its parts, however many of them are optional', () => {
    const many = Array.from({ length: 200 }, (_, index) => `n${index}`)
    const template = parsePathTemplate(`(/-*)?${many.map((name) => `(/${name}/:${name}|/x)?`).join('')}(/-*)?`)
    expect([template.names, template.required, template.wildcards]).toEqual([many, [], 2])
    expect(template.expand({ n3: 1, n150: 2, splat: ['z'] })).toBe('/-z/n3/1/n150/2')
    expect(template.expand({})).toBe('')
  })
})
