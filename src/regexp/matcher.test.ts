// Matchers: they agree with the runtime on every pattern, and their time is linear in the text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { compileMatcher, type Matcher } from './matcher.ts'
import { parseRegExpSyntax, UnsupportedPatternError } from './parse-regexp.ts'
import { compileRegExpProgram, MAX_INSTRUCTIONS } from './program.ts'

// Letters with unusual partners in the other case, word characters, line breaks, surrogate pairs and lone surrogates.
const CHARACTERS = [...'abKkSs1_- \n\u2028éÉßẞİıΣσς', '\u212a', '\u017f', '😀', '😁', '\ud83d']

const ATOMS = String.raw`a b k K s 1 - \d \w \W \s . [a-z] [^a-k] [^] [] [A-Z_] \u212A \x61 é ß 😀 \ud83d\ude00 [\w-] [a\-b] \n \0 \cJ İ [ı-ĸ] σ [ς] [^\W] \/`
const UNICODE_ATOMS = String.raw`\p{L} \P{L} \p{Lu} [\p{L}\d] [^\p{Ll}] \u{1F600} [😀a] \ud83d`
const LEGACY_ATOMS = String.raw`\1 \8 \012 \c \k \p{2} \u{2} \x ] { } x{,2} \- [\c]`
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{0}', '{1,3}?']

/** A piece of a source: the deeper loops nest, the longer the runtime takes to match it. */
interface Piece {
  readonly source: string
  readonly loops: number
  readonly quantifiable: boolean
}

const plain = (source: string): Piece => ({ source, loops: 0, quantifiable: true })

function sources(atoms: readonly string[]): fc.Arbitrary<string> {
  const { choice } = fc.letrec<{ term: Piece; choice: Piece }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'pattern' },
      { weight: 5, arbitrary: fc.constantFrom(...atoms).map(plain) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('^', '$', '\\b', '\\B').map((source) => ({ source, loops: 0, quantifiable: false })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'), tie('choice'))
          .map(([open, { source, loops }]) => ({
            source: `${open}${source})`,
            loops,
            quantifiable: !/[=!]/.test(open),
          })),
      },
    ),
    choice: fc
      .array(fc.array(fc.tuple(tie('term'), fc.option(fc.constantFrom(...QUANTIFIERS))), { maxLength: 4 }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((branches) => {
        const quantifiedBranches = branches.map((terms) => terms.map(addQuantifier))
        const loops = Math.max(0, ...quantifiedBranches.flat().map((one) => one.loops))
        return {
          source: quantifiedBranches.map((terms) => terms.map(({ source }) => source).join('')).join('|'),
          loops,
          quantifiable: false,
        }
      }),
  }))
  return choice.map(({ source }) => source)
}

function addQuantifier([{ source, loops, quantifiable }, times]: readonly [Piece, string | null]): Piece {
  if (times === null || !quantifiable || loops > 1) return { source, loops, quantifiable }
  return { source: `${source}${times}`, loops: loops + 1, quantifiable: false }
}

const FLAGS = ['', 'i', 's', 'm', 'ims', 'u', 'iu', 'su', 'imu', 'v', 'iv']

const patterns: fc.Arbitrary<RegExp> = fc
  .constantFrom(...FLAGS)
  .chain((flags) => {
    const own = /[uv]/.test(flags) ? UNICODE_ATOMS : LEGACY_ATOMS
    // In Node 20, /^[^]*$/v refuses every text except the empty one.
    const atoms = [...ATOMS.split(' '), ...own.split(' ')].filter(
      (one) => !flags.includes('v') || !/^\[\^?\]$/.test(one),
    )
    return sources(atoms).map((source) => made(source, flags))
  })
  .filter((pattern) => pattern !== undefined)

function made(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

const texts = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 7 }).map((all) => all.join(''))
const RUNS = runs(500, 8_000)
const timeout = 120_000

function tryCompile(pattern: RegExp, make: (pattern: RegExp) => Matcher): Matcher | undefined {
  try {
    return make(pattern)
  } catch (error) {
    expect(error).toBeInstanceOf(UnsupportedPatternError)
    return undefined
  }
}

describe('a matcher', () => {
  it('agrees with the runtime on whole texts', { timeout }, () => {
    let compared = 0
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 8 }), (pattern, all) => {
        const matcher = tryCompile(pattern, compileMatcher)
        // With the flag m, ^ and $ also match inside a text: the flag y and a lookahead match its ends.
        const reference = new RegExp(`(?:${pattern.source})(?![\\s\\S])`, `${pattern.flags}y`)
        for (const text of all) {
          reference.lastIndex = 0
          compared++
          const shown = `${pattern} on ${JSON.stringify(text)}`
          if (matcher !== undefined) expect(matcher.test(text), `the whole of ${shown}`).toBe(reference.test(text))
        }
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(RUNS)
  })

  it('takes a bounded number of steps for each character, for patterns of any kind', { timeout }, () => {
    fc.assert(
      fc.property(patterns, texts, texts, (pattern, repeated, end) => {
        const matcher = tryCompile(pattern, compileMatcher)
        if (matcher === undefined) return
        const text = `${repeated.repeat(300)}${end}`
        const { code, assertions: demands } = compileRegExpProgram(parseRegExpSyntax(pattern))
        const size = demands.reduce((sum, one) => sum + ('code' in one ? one.code.ops.length : 0), code.ops.length)
        const before = matcher.steps
        matcher.test(text)
        expect(matcher.steps - before).toBeLessThanOrEqual(4 * size * (text.length + 1))
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    [/([a-z]?){24}[a-z]{24}/, 'a'],
    [/(?:[a-z]|\u212A)+-/iu, 'k'],
    [/(?:[a-z]|\u212A)+-/i, 'k'],
    [/(?:s|\u017F)+-/iu, 's'],
    [/(a+)+!/, 'a'],
    [/(a|aa)+$/, 'a'],
    [/(\w+\s?)+!/, 'a '],
    [/.*.*.*.*.*x/, 'y'],
    [/\d*\d*\d*\d*\d*\d*!/, '1'],
    [/(?=(a+)+b)a*/, 'a'],
    [/(?:(?!b+)a|(?<=a+)a)+!/, 'a'],
    [/(?:a{0,15}){0,15}b/, 'a'],
    [/(.*,){12}P/, '1,'],
  ])('%s is linear in a text of 10,000 characters', (pattern, repeated) => {
    const matcher = compileMatcher(pattern)
    const text = `${repeated.repeat(10_000 / repeated.length)}\u2603`
    expect(matcher.test(text)).toBe(false)
    expect(matcher.steps).toBeLessThan(MAX_INSTRUCTIONS * text.length)
    const once = matcher.steps
    matcher.test(text + text)
    expect(matcher.steps - once).toBeLessThanOrEqual(2 * once + 10)
  })

  it('forgets states when there are many, and stays right', () => {
    const matcher = compileMatcher(/(?:a|b)*a(?:a|b){12}/)
    const reference = /^(?:a|b)*a(?:a|b){12}$/
    let seed = 7
    for (let i = 0; i < 400; i++) {
      const text = Array.from({ length: 60 }, () => {
        seed = (seed * 48271) % 0x7fffffff
        return seed & 64 ? 'a' : 'b'
      }).join('')
      expect(matcher.test(text), text).toBe(reference.test(text))
    }
  })
})

// The compiler does not accept everything that the runtime accepts.
const regexp = (source: string, flags = ''): RegExp => new RegExp(source, flags)

describe('a pattern that cannot be matched in linear time', () => {
  it.each([
    [/(a)\1/, /back-reference \\1/],
    [/(?<x>a)\k<x>/, /back-reference \\k<x>/],
    [/(?:[a-z]{100}){100}/, /4000 steps/],
    [regexp('[\\q{ab|c}]', 'v'), /several characters/],
    [regexp('\\p{RGI_Emoji}', 'v'), /several characters/],
  ])('%s is refused with its reason', (pattern, reason) => {
    expect(() => compileMatcher(pattern)).toThrow(reason)
  })

  it('is told from what only looks like one', () => {
    expect(compileMatcher(regexp('\\1')).test('\u0001')).toBe(true)
    expect(compileMatcher(regexp('[\\1]')).test('\u0001')).toBe(true)
    expect(compileMatcher(regexp('\\k')).test('k')).toBe(true)
    expect(compileMatcher(regexp('[(]\\1')).test('(\u0001')).toBe(true)
  })
})
