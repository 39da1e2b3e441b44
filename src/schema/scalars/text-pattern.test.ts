// Patterns: unsupported ones, their JSON Schema, and generated texts that match them.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExampleSeed } from '../example.ts'
import {
  computePatternLengths,
  findPatternMistakes,
  getPatternMatcher,
  makePatternExample,
  toJsonSchemaPattern,
} from './text-pattern.ts'

// The flag is newer than the language level of this repository, but available in Node 20.
const withSets = (source: string): RegExp => new RegExp(source, 'v')

describe('a pattern', () => {
  it.each([
    /(a+)+/,
    /([a-z]?){24}[a-z]{24}/,
    /(?:[a-z]|\u212A)+-/iu,
    /^[^@]+@[^@]+\.[^@]+$/,
    /(?=.*\d)(?=.*[a-z]).{8,32}/,
    /\d*\d*\d*\d*x/,
    /\bword\b/,
    /^(?<!x)y$/m,
  ])('%s is taken as it is, since its time is linear', (pattern) => expect(findPatternMistakes(pattern)).toEqual([]))

  it.each([
    [/(a)\1/, /back-reference \\1/],
    [/(?:a{0,900}b{0,900}){9}/, /smaller repetition counts/],
    [/a/g, /flag g/],
    [/a/y, /flag y/],
  ])('%s is refused with its reason', (pattern, reason) => {
    expect(findPatternMistakes(pattern)).toEqual([expect.stringMatching(reason)])
  })

  it('keeps the flags that its author gave it', () => {
    // With the flag u, the Kelvin sign is a k; without it, it is not.
    expect([getPatternMatcher(/k/i).test('\u212a'), getPatternMatcher(/k/iu).test('\u212a')]).toEqual([false, true])
    expect([getPatternMatcher(/^.$/).test('😀'), getPatternMatcher(/^.$/u).test('😀')]).toEqual([false, true])
  })
})

describe('a pattern as JSON Schema', () => {
  it('is said where JSON Schema can say it', () => {
    expect(toJsonSchemaPattern(/a|b/)).toBe('^(?:a|b)$')
    expect([
      toJsonSchemaPattern(/a/i),
      toJsonSchemaPattern(/a./s),
      toJsonSchemaPattern(withSets('[a]')),
      toJsonSchemaPattern(/a]/),
    ]).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is left out where its characters would be counted otherwise', () => {
    // The letter u, twice; the compiler refuses it as a literal.
    const legacy = new RegExp(['\\u', '{2}'].join(''))
    expect([/.{3}/, /x.y/, /[^a]/, /😀+/, /\ud83d/, legacy].map(toJsonSchemaPattern)).toEqual(Array(6).fill(undefined))
    // Letters and brackets without the flag u, Unicode classes with it.
    const classes = ['\\p{L}', 'x\\P{Lu}+'].map((source) => new RegExp(source))
    expect(classes.map(toJsonSchemaPattern)).toEqual([undefined, undefined])
    expect(toJsonSchemaPattern(/\p{L}/u)).toBe('^(?:\\p{L})$')
    expect(toJsonSchemaPattern(/.{3}/u)).toBe('^(?:.{3})$')
    expect([/.+/, /[^@]+@[^@]*/, /\w{3}/, /[\s\S]*x/].map(toJsonSchemaPattern)).not.toContain(undefined)
  })

  it('means there what it means here', () => {
    const ajv = new Ajv2020()
    const pieces = ['a', '.', '[^a]', '\\w', '\\W', '[a-z]', '\\s', '(?:a|.)', '(?=.)', '\\b', '$', '^']
    const sources = fc
      .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('', '', '*', '+', '?', '{2}')), { maxLength: 5 })
      .map((all) => all.map(([piece, times]) => (/^(?:\(\?=|\\b|[$^])/.test(piece) ? piece : piece + times)).join(''))
    const texts = fc.array(fc.constantFrom('a', 'Z', '😀', 'é', ' ', '\n'), { maxLength: 6 }).map((all) => all.join(''))
    fc.assert(
      fc.property(sources, fc.constantFrom('', 'u'), fc.array(texts), (source, flags, all) => {
        const pattern = new RegExp(source, flags)
        const schemaPattern = toJsonSchemaPattern(pattern)
        if (schemaPattern === undefined) return
        const fits = ajv.compile({ type: 'string', pattern: schemaPattern })
        for (const text of all) expect(getPatternMatcher(pattern).test(text), `${pattern} on ${text}`).toBe(fits(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('an example of a pattern', () => {
  it.each([
    /[A-Z]{3}-\d{4}/,
    /^\/blogs\/\d+$/,
    /\p{Lu}+\d/u,
    /(x|y)z?/,
    /[^a-z]+/,
    /[\u{1F600}-\u{1F640}]/u,
    /\u0041\x42/,
    /.{8,}/,
    /#[0-9a-f]{6}/i,
  ])('%s is matched by it', (pattern) => {
    expect(getPatternMatcher(pattern).test(makePatternExample(pattern, new ExampleSeed('/a')) ?? '-')).toBe(true)
  })

  it('is long enough', () => {
    expect(makePatternExample(/[a-z]+/, new ExampleSeed('/a'), 7)?.length).toBeGreaterThanOrEqual(7)
  })

  it('is given up where it is hard', () => {
    expect(makePatternExample(/(?=.*\d)[a-z]+(?<=q)/, new ExampleSeed('/a'))).toBe(undefined)
  })
})

describe('the lengths of a pattern', () => {
  const atoms = fc.constantFrom('a', '[ab]', '.', '\\d', '[^a]')
  const { source } = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      atoms,
      fc.array(tie('source'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      fc.tuple(tie('source'), tie('source')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('source'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}', '{2,}'))
        .map(([one, q]) => `(?:${one})${q}`),
    ),
  }))

  it.each(['.+.+', '(?:.+){2}', '(?:.+|a).+', '.*.+', '.+'])('of %s allow a pair of surrogates', (text) => {
    const { shortest } = computePatternLengths(new RegExp(text))
    expect(new RegExp(`^(?:${text})$`).test('\u{1f600}')).toBe(true)
    expect(shortest).toBeLessThanOrEqual(1)
  })

  it('have every text that matches between them', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '1', '\u{1f600}'), maxLength: 6 })
    fc.assert(
      fc.property(
        source,
        fc.constantFrom('', 'u'),
        fc.array(texts, { minLength: 20, maxLength: 20 }),
        (text, flags, all) => {
          const pattern = new RegExp(text, flags)
          const { shortest, longest } = computePatternLengths(pattern)
          const own = [0, 3].flatMap((min) => makePatternExample(pattern, new ExampleSeed(text), min) ?? [])
          for (const one of [...own, ...all]) {
            if (!new RegExp(`^(?:${text})$`, flags).test(one)) continue
            expect([...one].length).toBeGreaterThanOrEqual(shortest)
            expect([...one].length).toBeLessThanOrEqual(longest)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
