// Strings: limits in characters, patterns over the complete value, allowed values, formats, forbidden characters.

import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, loadAttributeValue } from '../../../test/support/load-value.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../attribute.ts'
import { t } from '../t.ts'

function read(one: Attribute, value: unknown): unknown {
  const outcome = loadAttributeValue(one, value)
  if (outcome instanceof Promise) throw new Error('asynchronous')
  return outcome.valid ? outcome.value : outcome.issues.map((issue) => issue.code).join()
}

describe('t.string', () => {
  it.each(['', ' ', 'x', '\n', '0', 'null', 'Grüße', '😀'])('reads %j as it is', (sent) =>
    expect(read(t.string(), sent)).toBe(sent),
  )
  it.each([0, 1, true, 1n])('does not make a text of %s', (sent) => expect(read(t.string(), sent)).toBe('type'))

  it('refuses U+0000 unless configured otherwise', () => {
    expect(read(t.string(), 'a\0b')).toBe('nul')
    expect(read(t.string({ allowNul: true }), 'a\0b')).toBe('a\0b')
  })

  it.each(['\ud800', 'a\udc00', '\udc00\ud800'])('refuses half a surrogate pair: %j', (sent) => {
    expect(read(t.string(), sent)).toBe('format')
    expect(read(t.string({ allowNul: true }), sent)).toBe('format')
  })

  it('[ATT-05] counts characters, not code units', () => {
    const one = t.string({ min: 2, max: 3 })
    expect(['a', 'ab', 'abc', 'abcd', '😀', '😀😀', '😀😀😀', '😀😀😀😀'].map((sent) => read(one, sent))).toEqual([
      'min-length',
      'ab',
      'abc',
      'max-length',
      'min-length',
      '😀😀',
      '😀😀😀',
      'max-length',
    ])
  })

  it('[ATT-05] allows listed values only', () => {
    const one = t.string({ values: ['red', 'green'] })
    expect([read(one, 'red'), read(one, 'Red'), read(one, ''), read(one, 'constructor')]).toEqual([
      'red',
      'values',
      'values',
      'values',
    ])
  })

  it('[ATT-05] matches a pattern against the whole value', () => {
    const one = t.string({ pattern: /a|bc/ })
    expect(['a', 'bc', 'xa', 'ab', 'a\n', ''].map((sent) => read(one, sent))).toEqual([
      'a',
      'bc',
      'pattern',
      'pattern',
      'pattern',
      'pattern',
    ])
    expect(read(t.string({ pattern: /a/m }), 'a\nb')).toBe('pattern')
    expect(read(t.string({ pattern: /^a$/m }), 'a')).toBe('a')
    expect(read(t.string({ pattern: /a.b/s }), 'a\nb')).toBe('a\nb')
    expect(read(t.string({ pattern: /[A-Z]+/i }), 'abc')).toBe('abc')
    expect(read(t.string({ pattern: /./u }), '😀')).toBe('😀')
    expect(read(t.string({ pattern: /a]/ }), 'a]')).toBe('a]')
  })

  it('runs a pattern with flags that carry state alike each time', () => {
    const one = t.string({ pattern: /a/g })
    expect([read(one, 'a'), read(one, 'a')]).toEqual(['a', 'a'])
    expect(attributeRules.findMistakes(one)).toHaveLength(1)
    expect(attributeRules.findMistakes(t.string({ pattern: /a/y }))).toHaveLength(1)
  })

  it('runs a pattern on a bounded number of characters', () => {
    expect(read(t.string({ pattern: /a*/ }), 'a'.repeat(1000))).toHaveLength(1000)
    expect(read(t.string({ pattern: /a*/ }), 'a'.repeat(1001))).toBe('max-length')
    expect(read(t.string({ pattern: /a*a*/ }), 'a'.repeat(1000))).toHaveLength(1000)
    expect(read(t.string({ pattern: /a*/, max: 5000 }), 'a'.repeat(5000))).toHaveLength(5000)
  })

  it('is checked when it leaves, but always a text', () => {
    const one = t.string({ max: 2 })
    const codes = [
      dumpAttributeValue(one, 'abc'),
      dumpAttributeValue(one, 'abc', false),
      dumpAttributeValue(one, 1, false),
    ]
    expect(codes).toMatchObject([{ valid: false }, { value: 'abc' }, { valid: false }])
  })

  it('reports contradictions', () => {
    expect(attributeRules.findMistakes(t.string({ min: 3, max: 2 }))).toEqual(['min (3) is greater than max (2)'])
    expect(attributeRules.findMistakes(t.string({ min: -1 }))).toEqual(['min (-1) is not a size'])
    expect(attributeRules.findMistakes(t.string({ max: 1.5 }))).toEqual(['max (1.5) is not a size'])
    expect(attributeRules.findMistakes(t.string({ values: [] }))).toEqual([
      'values is empty: nothing could ever be sent',
    ])
    expect(attributeRules.findMistakes(t.string({ values: ['a', 'a'] }))).toEqual(['values names a value twice'])
    expect(attributeRules.findMistakes(t.string({ values: ['abc'], max: 2 }))).toEqual([
      'values names "abc", which must have at most 2 characters',
    ])
    expect(attributeRules.findMistakes(t.string({ values: ['a'], default: 'b' as never }))).toEqual([
      'default must equal a',
    ])
    expect(attributeRules.findMistakes(t.string({ format: 'uuid', example: 'x' }))).toEqual(['example must be a UUID'])
  })
})

describe('formats of a text', () => {
  it.each([
    ['uuid', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['uuid', '00000000-0000-0000-0000-000000000000'],
    ['uri', 'https://example.com'],
    ['uri', 'https://user:pw@example.com:8080/a/b;c?d=e&f#g'],
    ['uri', 'http://[::1]:3000/'],
    ['uri', 'urn:isbn:0451450523'],
    ['uri', 'mailto:ada@example.com'],
    ['uri', 'https://example.com/%C3%BC'],
    ['email', 'ada@example.com'],
    ['email', 'first.last+tag@sub.example.co.uk'],
    ['email', "o'brien@example.com"],
  ] as const)('%s takes %s', (format, sent) => expect(read(t.string({ format }), sent)).toBe(sent))

  it.each([
    ['uuid', ''],
    ['uuid', '0f8fad5bd9cb469fa16570867728950e'],
    ['uuid', '{0f8fad5b-d9cb-469f-a165-70867728950e}'],
    ['uuid', '0f8fad5b-d9cb-469f-a165-70867728950g'],
    ['uri', ''],
    ['uri', 'example.com'],
    ['uri', '/path'],
    ['uri', 'https://exa mple.com'],
    ['uri', 'https://example.com/ü'],
    ['uri', 'https://example.com/[x]'],
    ['uri', 'https://example.com/%zz'],
    ['uri', 'http://[::zz]/'],
    ['uri', ' https://example.com'],
    ['email', ''],
    ['email', 'ada'],
    ['email', 'ada@localhost'],
    ['email', '@example.com'],
    ['email', 'ada@'],
    ['email', 'a..b@example.com'],
    ['email', '.a@example.com'],
    ['email', 'ada@-example.com'],
    ['email', 'ada@example..com'],
    ['email', 'ada@example.com '],
    ['email', 'Ada <ada@example.com>'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', `ada@${'a.'.repeat(130)}com`],
  ] as const)('%s refuses %j', (format, sent) => expect(read(t.string({ format }), sent)).toBe('format'))

  it('does not hang on hostile texts', () => {
    for (const hostile of [
      `https://${'a%20'.repeat(500)}[`,
      `${'a.'.repeat(60)}@`,
      `a@${'a-'.repeat(120)}`,
      `a:${'/'.repeat(2000)} `,
    ]) {
      for (const format of ['uri', 'email', 'uuid'] as const) expect(read(t.string({ format }), hostile)).toBe('format')
    }
  })
})
