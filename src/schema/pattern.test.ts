// Patterns: what their matching costs at worst, and texts that match them.
import { describe, expect, it } from 'vitest'
import { compilePattern, exampleOfPattern, patternMistakes, portablePattern } from './pattern.ts'
import { patternCost } from './pattern-cost.ts'
import { parsePattern } from './pattern-syntax.ts'

// The flag is newer than the language level of this repository, but not than Node 20.
const withSets = (source: string): RegExp => new RegExp(source, 'v')

const cost = (pattern: RegExp): string => patternCost(parsePattern(pattern))

describe('the cost of a pattern', () => {
  it.each([
    /a/,
    /^\/blogs\/\d+$/,
    /\d+(,\d+)*/,
    /[a-z0-9]+(?:-[a-z0-9]+)*/,
    /(a|ab)*/,
    /(\d{1,3}\.){3}\d{1,3}/,
    /[0-9a-f]{64}/,
    /^#(?:[0-9a-f]{3}){1,2}$/i,
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    /(?=.*\d)(?=.*[a-z]).{8,32}/,
    /^\+?[1-9]\d{1,14}$/,
    /[^\]\\-a]+\x41\u0042\cA\t\0[\b]/,
    /^(\([0-9]{3}\) |[0-9]{3}-)[0-9]{3}-[0-9]{4}$/,
    /a{2,}b?/,
    /\bword\b/,
    /[\d-x]+[a-\d]?/,
    /(?<year>\d{4})-(?<month>\d\d)/,
    /x{,3}y/,
    /a{0}b+/,
  ])('%s is linear', (pattern) => expect(cost(pattern)).toBe('linear'))

  it.each([
    /\d+\.?\d*/,
    /.*x.*/,
    /^[^@]+@[^@]+\.[^@]+$/,
    /(.*)\1/,
    /(?<a>.*)\k<a>/,
    /\s*\s*$/,
    /[\w.]+[a-z]+/,
    /\p{L}+x\p{L}+/u,
    withSets('[[a-z]--[b]]+[[x]&&[y]]+'),
    /(?=a*a*b)x/,
    /a{0,20}a{0,20}b/,
  ])('%s can grow as a power', (pattern) => expect(cost(pattern)).toBe('power'))

  it.each([
    /(a+)+/,
    /(a*)*b/,
    /(a|a)*/,
    /(a|aa)+$/,
    /(\w+\s?)+/,
    /(x+x+)+y/,
    /^(([a-z])+.)+[A-Z]([a-z])+$/,
    /(?:a{0,15}){0,15}b/,
    /(A|a)+$/i,
    /(?!(b+)+c)a/,
    /(\d|\w)*!/,
    /([a-z]|\u0061)*!/,
  ])('%s can be exponential', (pattern) => expect(cost(pattern)).toBe('exponential'))

  it('takes a pattern for costly that is too large to tell', () => {
    expect(cost(new RegExp('(?:ab){20,24}c'.repeat(10)))).toBe('power')
    expect(cost(new RegExp(Array.from({ length: 20 }, () => '[a-z]*[0-9]*').join('')))).toBe('power')
  })

  it('is bounded itself', () => {
    const started = performance.now()
    cost(new RegExp(`(?:${Array.from({ length: 200 }, (_, i) => `w${i}x+`).join('|')})*`))
    cost(new RegExp(`${'[a-z]+'.repeat(100)}!`))
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('predicts what really is slow: an exponential one is, a linear one is not', () => {
    const time = (pattern: RegExp, text: string): number => {
      const started = performance.now()
      compilePattern(pattern).test(text)
      return performance.now() - started
    }
    expect(time(/(a+)+/, `${'a'.repeat(20)}!`)).toBeGreaterThan(2)
    expect(time(/\d+(,\d+)*/, `${'1,'.repeat(500)}!`)).toBeLessThan(500)
  })

  it('is reported where it is a danger', () => {
    expect(patternMistakes(/(a+)+/, 10)).toHaveLength(1)
    expect(patternMistakes(/a*a*/, undefined)).toEqual([])
    expect(patternMistakes(/a*a*/, 256)).toEqual([])
    expect(patternMistakes(/a*a*/, 257)).toHaveLength(1)
    expect(patternMistakes(/a+/, 1_000_000)).toEqual([])
  })
})

describe('a pattern as JSON Schema', () => {
  it('is said where JSON Schema can say it', () => {
    expect(portablePattern(/a|b/)).toBe('^(?:a|b)$')
    expect([
      portablePattern(/a/i),
      portablePattern(/a./s),
      portablePattern(withSets('[a]')),
      portablePattern(/a]/),
    ]).toEqual([undefined, undefined, undefined, undefined])
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
    expect(exampleOfPattern(pattern, 0)).toMatch(compilePattern(pattern))
  })

  it('is long enough', () => {
    expect(exampleOfPattern(/[a-z]+/, 7)).toHaveLength(8)
  })

  it('is given up where it is hard', () => {
    expect(exampleOfPattern(/(?=.*\d)[a-z]+(?<=q)/, 0)).toBe(undefined)
  })
})
