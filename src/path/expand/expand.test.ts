// Tests of expansion: a path matches with the same arguments, and the errors if there is none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, type ExpandArgs, ExpandError, type PatternOptions } from '../index.ts'

function expand(source: string, args: ExpandArgs, options?: PatternOptions): string {
  return compilePathPattern(source, options).expand(args)
}

function problem(source: string, args: ExpandArgs, options?: PatternOptions): ExpandError {
  try {
    expand(source, args, options)
  } catch (error) {
    if (error instanceof ExpandError) return error
    throw error
  }
  throw new Error(`${source} expanded`)
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('%', '/', '?', '#', '.', '+', ' ', '2', 'F', 'a', '\\', ':', '*', 'é', '😀'),
    maxLength: 8,
  }),
)
const isDots = (text: string): boolean => /^\.{1,2}$/.test(text)
const segment = anyText.filter((text) => text !== '' && !isDots(text))
const run = anyText.filter((text) => !text.split('/').some(isDots))

describe('expand', () => {
  it('[RTE-10] a path leads back to the arguments it was made of, whatever characters they hold', () => {
    const pattern = compilePathPattern('/blogs/:blog_id/posts/:id/*')
    fc.assert(
      fc.property(segment, segment, run, (blog_id, id, rest) => {
        expect({ ...pattern.match(pattern.expand({ blog_id, id, splat: [rest] })) }).toEqual({
          blog_id,
          id,
          splat: [rest],
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('[RTE-10] a path of whole segments leads back too, and survives a URL parser', () => {
    const pattern = compilePathPattern('/blogs/:blog_id/pösts/:id')
    fc.assert(
      fc.property(anyText, anyText, (blog_id, id) => {
        const refused = [blog_id, id].some((text) => text === '' || isDots(text))
        if (refused) {
          expect(problem(pattern.source, { blog_id, id }).problem).toMatch(/empty|segment/)
          return
        }
        const path = pattern.expand({ blog_id, id })
        expect({ ...pattern.match(path) }).toEqual({ blog_id, id })
        expect(new URL(path, 'http://host').pathname).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  it('[RTE-10] a path survives a URL parser unchanged', () => {
    const pattern = compilePathPattern('/blogs/:id/*tail')
    fc.assert(
      fc.property(segment, run, (id, tail) => {
        const path = pattern.expand({ id, tail })
        const url = new URL(path, 'http://host')
        expect([url.pathname, url.search, url.hash, url.host]).toEqual([path, '', '', 'host'])
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    '/:a.:b',
    '/(:a)x?',
    '/:a(.:b)?',
    '/*/x/*',
    '/?:a?/?:b?',
    '/(:a/:b|:c)',
    '/:a:b',
    '/:a(/*)?',
    '/v:a/(x|y/:b)?z',
  ])('%s either leads back or is refused', (source) => {
    const pattern = compilePathPattern(source)
    const text = fc.string({ unit: fc.constantFrom('a', 'x', 'y', '.', '/', 'é', '%'), maxLength: 4 })
    const args = fc.record({
      ...Object.fromEntries(pattern.names.map((name) => [name, fc.option(text)])),
      ...(pattern.wildcards > 0 && { splat: fc.array(text, { maxLength: pattern.wildcards }) }),
    })
    let expanded = 0
    fc.assert(
      fc.property(args, (input: ExpandArgs) => {
        let path: string
        try {
          path = pattern.expand(input)
        } catch (error) {
          expect(error).toBeInstanceOf(ExpandError)
          return
        }
        expanded += 1
        expect({ ...pattern.match(path) }).toEqual(input)
      }),
      { numRuns: 400 },
    )
    expect(expanded).toBeGreaterThan(0)
  })

  it('leads from every matching path to a path with the same values', () => {
    const pattern = compilePathPattern('/:a(.:b)?(/:c)?')
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', 'b', '%41'), maxLength: 8 }), (tail) => {
        const params = pattern.match(`/${tail}`)
        if (params === null || /(^|\/)\.{1,2}(\/|$)/.test(tail)) return
        expect(pattern.match(pattern.expand(params))).toEqual(params)
      }),
      { numRuns: 2000 },
    )
  })

  it('encodes values, keeping the slashes of wildcards only', () => {
    expect(expand('/a/:b/*', { b: 'x/y?#%é', splat: ['p/q r'] })).toBe('/a/x%2Fy%3F%23%25%C3%A9/p/q%20r')
    expect(expand('/föö/\\?/%2F', {})).toBe('/f%C3%B6%C3%B6/%3F/%2F')
  })

  it('takes numbers, bigints and booleans', () => {
    expect(expand('/:a/:b/:c/*', { a: 7, b: 9007199254740993n, c: false, splat: [1.5] })).toBe(
      '/7/9007199254740993/false/1.5',
    )
  })

  it('writes optional parts and alternatives for which arguments are given', () => {
    expect(expand('/:file(.:ext)?', { file: 'pony' })).toBe('/pony')
    expect(expand('/:file(.:ext)?', { file: 'pony', ext: 'jpg' })).toBe('/pony.jpg')
    expect(expand('/:file(.:ext)?', { file: 'pony', ext: null })).toBe('/pony')
    expect(expand('/(:a/:b|:c)', { c: 1 })).toBe('/1')
    expect(expand('/(:a/:b|:c)', { a: 1, b: 2 })).toBe('/1/2')
    expect(expand('/foo/?', {})).toBe('/foo')
    expect(expand('/(:a)x?', { a: 'ax' })).toBe('/axx')
    expect(expand('/?:foo?/?:bar?', { foo: 'a', bar: 'b' })).toBe('/a/b')
  })

  it('never writes a path that a browser reads as a host', () => {
    expect(expand('/*', { splat: ['/evil.example'] })).toBe('/%2Fevil.example')
    expect(problem('/*/x', { splat: [''] })).toMatchObject({ problem: 'segment' })
  })

  it.each<[string, ExpandArgs, Partial<ExpandError>, PatternOptions?]>([
    ['/:a/:b', { a: 1 }, { problem: 'missing', args: ['b'], message: '"b" is missing' }],
    ['/:a', { a: 1, c: 2, d: 3 }, { problem: 'unknown', args: ['c', 'd'], message: 'The pattern takes "a"' }],
    ['/x', { a: 1 }, { problem: 'unknown', args: ['a'], message: 'takes no arguments' }],
    ['/:a', { a: '' }, { problem: 'empty', args: ['a'], message: '"a" is empty' }],
    ['/:a', { a: '..' }, { problem: 'segment', args: ['a'], message: '".."' }],
    ['/x/*', { splat: ['a/./b'] }, { problem: 'segment', args: ['splat'], message: '"."' }],
    ['/:a', { a: '\ud800' }, { problem: 'encoding', args: ['a'], message: 'surrogate' }],
    ['/:a', { a: Number.NaN }, { problem: 'type', args: ['a'], message: 'NaN' }],
    ['/:a', { a: ['x'] }, { problem: 'type', args: ['a'], message: 'an array' }],
    ['/*', { splat: 'x' }, { problem: 'type', args: ['splat'], message: 'no array' }],
    ['/*/x/*', { splat: ['a'] }, { problem: 'missing', args: ['splat'], message: '1 of 2' }],
    ['/:a', { a: 'x' }, { problem: 'ambiguous', args: ['a'], message: 'does not lead back' }, { capture: /\d+/ }],
    ['/:a.:b', { a: 'x', b: 'y.z' }, { problem: 'ambiguous', args: ['a', 'b'], message: 'does not lead back' }],
    ['/(:a/:b|:c)', { a: 1, c: 2 }, { problem: 'ambiguous', args: ['a', 'c'], message: 'no form' }],
    [
      '/:id',
      { id: 'a.json' },
      { problem: 'ambiguous', args: ['id'], message: 'does not lead back' },
      { except: '/:id.json' },
    ],
  ])('%s with %o is refused: %o', (source, args, { message, ...expected }, options) => {
    const error = problem(source, args, options)
    expect(error).toMatchObject({ name: 'ExpandError', source, ...expected })
    expect(error.message).toContain(message)
  })

  it('gives up, and does not hang, on patterns with very many forms', () => {
    const source = `/${'(a)?'.repeat(60)}:x`
    expect(problem(source, { x: 'a/' }, { capture: /b/ }).problem).toBe('ambiguous')
  })
})
