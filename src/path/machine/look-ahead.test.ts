// Captures before optional parts, compared with a slow reference: the platform's backtracking engine with look-ahead.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, ExpandError } from '../index.ts'

/** One part of a generated pattern; `lit` and `cap` alone are required, `parts` is a group that may be absent. */
type Part =
  | { readonly kind: 'lit'; readonly text: string; readonly optional: boolean }
  | { readonly kind: 'cap'; readonly optional: boolean }
  | { readonly kind: 'group'; readonly parts: readonly Part[] }

const CHAR = '[^/?#]'
const escapeText = (text: string): string => text.replace(/[.\-~]/g, '\\$&')

/** Returns the pattern's source, with captures named c0, c1 … in order. */
function buildSource(parts: readonly Part[], count = { captures: 0 }): string {
  return parts
    .map((part) => {
      if (part.kind === 'group') return `(${buildSource(part.parts, count)})?`
      // A capture's name would include a letter after it.
      const text = part.kind === 'lit' ? part.text : `:c${count.captures++}`
      if (part.optional) return `${text}?`
      return part.kind === 'lit' ? text : `(${text})`
    })
    .join('')
}

const isOptional = (part: Part | undefined): boolean =>
  part !== undefined && (part.kind === 'group' || part.optional) && !(part.kind === 'lit' && part.text === '/')
const endsSegment = (part: Part | undefined): boolean =>
  part === undefined || (part.kind === 'lit' && part.text === '/' && !part.optional)

/**
 * Returns the parts as present, so that the capture before them stops there; inside a group an optional part may be
 * absent.
 */
function lookAhead(optionals: readonly Part[]): string {
  let ahead = ''
  for (const part of optionals.flatMap((each) =>
    each.kind === 'group' ? each.parts : [{ ...each, optional: false }],
  )) {
    const capture = ahead === '' ? '[]' : `(?:(?!${ahead})${CHAR})+?`
    const one = part.kind === 'lit' ? escapeText(part.text) : capture
    ahead += isOptional(part) ? `(?:${one})?` : one
  }
  return `(?!${ahead}(?:/|$))`
}

function buildRegExp(parts: readonly Part[], count = { captures: 0 }): string {
  return parts
    .map((part, i) => {
      if (part.kind === 'group') return `(?:${buildRegExp(part.parts, count)})?`
      if (part.kind === 'lit') return escapeText(part.text) + (part.optional ? '?' : '')
      const name = `c${count.captures++}`
      let end = i + 1
      while (isOptional(parts[end])) end += 1
      const stops = !part.optional && end > i + 1 && endsSegment(parts[end])
      const body = stops ? `(?:${lookAhead(parts.slice(i + 1, end))}${CHAR})+` : `${CHAR}+`
      return `(?<${name}>${body})${part.optional ? '?' : ''}`
    })
    .join('')
}

const lit = (optional: boolean): fc.Arbitrary<Part> =>
  fc.constantFrom('.', '-', '~', 'a').map((text): Part => ({ kind: 'lit', text, optional }))
const cap = (optional: boolean): Part => ({ kind: 'cap', optional })
const group: fc.Arbitrary<Part> = fc
  .tuple(lit(false), fc.constantFrom([], [cap(false)], [cap(true)]))
  .map(([text, rest]): Part => ({ kind: 'group', parts: [text, ...rest] }))
const part: fc.Arbitrary<Part> = fc.oneof(
  { arbitrary: lit(false), weight: 2 },
  { arbitrary: lit(true), weight: 4 },
  { arbitrary: fc.constant(cap(false)), weight: 3 },
  { arbitrary: fc.constant(cap(true)), weight: 4 },
  { arbitrary: group, weight: 3 },
  { arbitrary: fc.constant<Part>({ kind: 'lit', text: '/', optional: false }), weight: 1 },
)
const parts: fc.Arbitrary<readonly Part[]> = fc
  .array(part, { minLength: 1, maxLength: 6 })
  .map((rest): Part[] => [{ kind: 'lit', text: '/', optional: false }, cap(false), ...rest])
const path = fc
  .string({ unit: fc.constantFrom('a', 'b', '.', '-', '~', '/', '%2E'), minLength: 1, maxLength: 9 })
  .map((text) => `/${text}`)

function reference(generated: readonly Part[], text: string): Record<string, string | null> | null {
  const found = new RegExp(`^${buildRegExp(generated)}$`).exec(text.replaceAll('%2E', '.'))
  if (found === null) return null
  return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, value ?? null]))
}

const match = (source: string, text: string): object | null => {
  const found = compilePathPattern(source).match(text)
  return found && { ...found }
}

describe('a capture in front of optional parts', () => {
  it('[RTE-12] /:id.?:format? took no path without its separator, or cut the last character off', () => {
    expect(match('/books/:id.?:format?', '/books/5')).toEqual({ id: '5', format: null })
    expect(match('/books/:id.?:format?', '/books/emma')).toEqual({ id: 'emma', format: null })
    expect(match('/books/:id.?:format?', '/books/emma.json')).toEqual({ id: 'emma', format: 'json' })
    expect(match('/books/:id.?:format?', '/books/a.b.json')).toEqual({ id: 'a.b', format: 'json' })
    expect(match('/books/:id.?:format?', '/books/emma.')).toEqual({ id: 'emma.', format: null })
    expect(match('/books/:id.?:format?', '/books/.json')).toBeNull()
    expect(match('/:a/:b.?:c?', '/a/b')).toEqual({ a: 'a', b: 'b', c: null })
    expect(match('/:a/:b.?:c?', '/a/b.c')).toEqual({ a: 'a', b: 'b', c: 'c' })
    expect(match('/:a/:b.?:c?', '/a.b/c')).toEqual({ a: 'a.b', b: 'c', c: null })
  })

  it('[RTE-12] matches and captures what a backtracking engine does with the same rule', () => {
    let matches = 0
    fc.assert(
      fc.property(parts, fc.array(path, { minLength: 5, maxLength: 20 }), (generated, paths) => {
        const source = buildSource(generated)
        const pattern = compilePathPattern(source)
        for (const each of paths) {
          const want = reference(generated, each)
          if (want !== null) matches += 1
          const got = pattern.match(each)
          expect([source, each, got && { ...got }]).toEqual([source, each, want])
        }
      }),
      { numRuns: 3000 },
    )
    expect(matches).toBeGreaterThan(2000)
  }, 60_000)

  it('[RTE-10] expands to a path that leads back, for the values of every match', () => {
    let expanded = 0
    fc.assert(
      fc.property(parts, path, (generated, each) => {
        const pattern = compilePathPattern(buildSource(generated))
        const params = pattern.match(each)
        if (params === null) return
        try {
          expect({ ...pattern.match(pattern.expand(params)) }).toEqual({ ...params })
          expanded += 1
        } catch (error) {
          // The only values without a path are those that a URL parser would read as `.` and `..`.
          expect(error).toBeInstanceOf(ExpandError)
          expect([pattern.source, each, (error as ExpandError).problem]).toEqual([pattern.source, each, 'segment'])
        }
      }),
      { numRuns: 3000 },
    )
    expect(expanded).toBeGreaterThan(200)
  }, 60_000)

  it('leaves nested parts, alternatives and an optional slash what belongs to them', () => {
    expect(match('/:a(.:b(-:c)?)?', '/x.y-z')).toEqual({ a: 'x', b: 'y', c: 'z' })
    expect(match('/:a(.:b(-:c)?)?', '/x.y')).toEqual({ a: 'x', b: 'y', c: null })
    expect(match('/:id(.json(.gz)?)?', '/5.json')).toEqual({ id: '5' })
    expect(match('/:id(.json(.gz)?)?', '/5.json.gz')).toEqual({ id: '5' })
    expect(match('/:id(.json|.xml)?', '/5.xml')).toEqual({ id: '5' })
    expect(match('/:id(.json|.xml)?', '/5.csv')).toEqual({ id: '5.csv' })
    expect(match('/:id.?:format?/?', '/5.json/')).toEqual({ id: '5', format: 'json' })
    expect(match('/:id.?:format?/?', '/5')).toEqual({ id: '5', format: null })
    expect(match('/:id.?:format?(/:rest)?', '/5.json/x')).toEqual({ id: '5', format: 'json', rest: 'x' })
    expect(match('/(:a.?:b?)/c', '/x.y/c')).toEqual({ a: 'x', b: 'y' })
    expect(match('/😀:a(😀:b)?', '/😀x😀y😀z')).toEqual({ a: 'x😀y', b: 'z' })
  })

  it('counts an encoded separator as a character of the capture', () => {
    expect(match('/:id.?:format?', '/a%2Fb.json')).toEqual({ id: 'a/b', format: 'json' })
    expect(match('/:id.?:format?', '/a.x%2Fb')).toEqual({ id: 'a', format: 'x/b' })
  })

  it('takes everything where the parts begin with a capture that nothing announces', () => {
    expect(match('/:a:b?', '/xy')).toEqual({ a: 'xy', b: null })
    expect(compilePathPattern('/:a:b?', { capture: { b: /\d+/ } }).match('/xy12')).toMatchObject({ a: 'xy', b: '12' })
  })

  it('keeps a constrained capture to its constraint and to its parts', () => {
    const pattern = compilePathPattern('/:id(.:format)?', { capture: { id: /[\w.]+/ } })
    expect({ ...pattern.match('/a.b.c') }).toEqual({ id: 'a.b', format: 'c' })
    expect(pattern.match('/a-b.c')).toBeNull()
  })
})
