// Tests of plain patterns: they agree with the syntax tree, and none has a mistake.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, listForms, PatternError } from './index.ts'
import { splitSegments } from './segments.ts'

const segment = fc.oneof(
  fc.stringMatching(/^[\w.~-]{0,4}$/),
  fc.constantFrom(
    ':a',
    ':b',
    ':c_1',
    ':_',
    '',
    ':splat',
    ':1',
    ':a-b',
    'x:y',
    '*',
    'a b',
    '%2F',
    'é',
    '(d)?',
    'a|b',
    '{',
  ),
)
const sources = fc.array(segment, { maxLength: 5 }).map((segments) => segments.map((one) => `/${one}`).join(''))

/** Returns the same pattern with a syntax tree from the start. */
const grouped = (source: string) => compilePathPattern(`(${source})`)

describe('plain patterns', () => {
  it('are what their syntax tree says', () => {
    const pieces = fc.array(fc.constantFrom('/', 'a', 'b', 'x', '.', '%2F', '%61', '?', '#'), { maxLength: 12 })
    fc.assert(
      fc.property(sources, pieces, (source, path) => {
        if (splitSegments(source) === null) return
        const [one, other] = [compilePathPattern(source), grouped(source)]
        expect([one.segments === null, other.segments]).toEqual([false, null])
        expect([one.names, one.required, one.wildcards]).toEqual([other.names, other.required, other.wildcards])
        expect(listForms(one.root)?.length).toBe(1)
        for (const text of [path.join(''), source.replaceAll(':', ''), `${source.replaceAll(':', '')}/`])
          expect([one.match(text), one.scan(text)]).toEqual([other.match(text), other.scan(text)])
      }),
    )
  })

  it('have no mistakes', () => {
    fc.assert(
      fc.property(sources, (source) => {
        if (splitSegments(source) !== null) expect(() => grouped(source)).not.toThrow()
      }),
    )
    for (const source of ['/:a/:a', '/:splat', '/:1', '/:', '/a)'])
      expect(() => compilePathPattern(source), source).toThrow(PatternError)
  })

  it('are frozen, and expand', () => {
    const pattern = compilePathPattern('/blogs/:id')
    expect(Object.isFrozen(pattern) && Object.isFrozen(pattern.options) && Object.isFrozen(pattern.names)).toBe(true)
    expect(pattern.expand({ id: 'a/b' })).toBe('/blogs/a%2Fb')
  })

  it.each([
    '',
    'blogs',
    '/a b',
    '/a?',
    '/*',
    '/(a)',
    '/a|b',
    '/%61',
    '/é',
    '/:id.json',
    '/:a-:b',
    '/\\:a',
    `/${'a'.repeat(500)}`,
  ])('does not take %s for one', (source) => expect(splitSegments(source)).toBeNull())
})
