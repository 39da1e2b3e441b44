// Tests of RegExp constraints: the supported subset has the same meaning as in JavaScript.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, PatternError } from '../index.ts'

/** Returns the texts that our engine accepts as the complete value; the literal before it allows empty values. */
function acceptor(regexp: RegExp): (text: string) => boolean {
  const pattern = compilePathPattern('x:v', { capture: regexp })
  return (text) => pattern.match(`x${encodeURIComponent(text)}`) !== null
}

function accepts(regexp: RegExp, text: string): boolean {
  return acceptor(regexp)(text)
}

function whole(regexp: RegExp, text: string): boolean {
  return new RegExp(`^(?:${regexp.source})$`, regexp.flags).test(text)
}

const atom = fc.constantFrom(
  'a',
  'b',
  'Z',
  '/',
  '-',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\D',
  '\\W',
  '\\S',
  '[ab]',
  '[^ab]',
  '[a-c-]',
  '[\\d_]',
  '[^\\W]',
  '\\.',
  '\\x41',
  '\\u0062',
  '[]',
  '[^]',
  'é',
  '\\/',
  '[\\b\\n]',
  '[.-/]',
)
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,}', '{0,2}', '{1,3}?')
const { source } = fc.letrec<{ source: string; term: string; sequence: string }>((tie) => ({
  source: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('term'), { maxLength: 3 }).map((parts) => parts.join('')),
  term: fc.oneof(
    { maxDepth: 2 },
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('source'), quantifier)
      .map(([open, inner, repeat]) => `${open.replace('<n>', `<n${inner.length}>`)}${inner})${repeat}`),
  ),
}))
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', 'z', 'Z', '0', '7', '_', '-', '.', '/', '?', '#', ' ', '\n', 'é', 'É', 'ſ'),
  maxLength: 7,
})

describe('constraints given as RegExp', () => {
  it('accept exactly what the RegExp accepts as a whole', () => {
    fc.assert(
      fc.property(
        source,
        fc.constantFrom('', 'i', 's', 'u'),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        (body, flags, texts) => {
          let regexp: RegExp
          try {
            regexp = new RegExp(body, flags)
          } catch {
            return fc.pre(false)
          }
          const accept = acceptor(regexp)
          for (const each of texts) expect([each, accept(each)]).toEqual([each, whole(regexp, each)])
        },
      ),
      { numRuns: 500 },
    )
  }, 30_000)

  it('fold case as the flag i does, for every character of the basic plane', () => {
    for (const regexp of [/[a-z]/i, /[σäж]/i, /[^k]/i, /ǆ/i, /[\u212a\u017f]/i]) {
      const accept = acceptor(regexp)
      const chars = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code))
      expect(chars.filter(accept)).toEqual(chars.filter((char) => new RegExp(`^${regexp.source}$`, 'i').test(char)))
    }
  }, 30_000)

  it('tolerates anchors at the ends', () => {
    expect(accepts(/^a|b$/, 'a')).toBe(true)
    expect(accepts(/^\d+$/, '12')).toBe(true)
    expect(accepts(/^\d+$/, 'x12')).toBe(false)
  })

  it('takes characters outside the basic plane whole', () => {
    expect(accepts(/./, '😀')).toBe(true)
    expect(accepts(/[😀-😂]/u, '😁')).toBe(true)
    expect(accepts(/\u{1F600}/u, '😀')).toBe(true)
    expect(accepts(/\ud83d\ude00/, '😀')).toBe(true)
  })

  it.each([
    [/(a)\1/, 'back-reference'],
    [/(?<n>a)\k<n>/, 'back-reference'],
    [/(?=a)a/, 'lookaround'],
    [/(?<!a)a/, 'lookaround'],
    [/\ba/, 'word boundary'],
    [/a^b/, '"^" inside'],
    [/(a$)/, '"$" inside'],
    [/\p{L}/u, 'escape "\\p"'],
    [/a/m, 'flag "m"'],
    [/a/g, 'flag "g"'],
    [/a/iu, 'flags "i" and "u" together'],
    [/\cA/, 'escape "\\c"'],
  ])('%s is refused by name', (regexp, part) => {
    expect(() => compilePathPattern('/:id', { capture: regexp })).toThrow(PatternError)
    expect(() => compilePathPattern('/:id', { capture: regexp })).toThrow(part)
    expect(() => compilePathPattern('/:id', { capture: regexp })).toThrow('capture "id"')
  })
})
