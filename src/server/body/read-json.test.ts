import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWellFormed } from '../../schema/value-checks.ts'
import { findJsonError, TOO_DEEP } from '../../util/json/find-error.ts'
import { MAX_JSON_DEPTH } from '../../util/json/parse-json.ts'
import { getMaxDelimiters, readJson } from './read-json.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
function readBytes(of: Uint8Array): unknown {
  const result = readJson(of, getMaxDelimiters(0))
  return 'fault' in result ? { fault: result.fault.detail } : result
}
const read = (text: string): unknown => readBytes(bytes(text))

describe('readJson', () => {
  it('reads every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(read(JSON.stringify(value))).toMatchObject({ value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  it('strips a byte order mark at the start, and only there', () => {
    expect(read('\ufeff{"a":1}')).toMatchObject({ value: { a: 1 } })
    expect(read('"\ufeff"')).toMatchObject({ value: '\ufeff' })
    expect(read('{"a":\ufeff1}')).toHaveProperty('fault')
  })

  it('finds every U+0000 and lone surrogate, whatever it is written as', () => {
    const texts = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
      .map((all) => String.fromCharCode(...all))
    const special = fc.constantFrom('\0', '\ud800', '\udc00x', '😀', '\\u0000', '\\')
    const writeEscaped = (text: string): string =>
      [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    fc.assert(
      fc.property(fc.oneof(texts, special), fc.boolean(), (text, isEscaped) => {
        const json = isEscaped && text.length === 1 ? `"${writeEscaped(text)}"` : JSON.stringify(text)
        const isPlain = !text.includes('\0') && isWellFormed(text)
        const { hasPlainTexts } = readJson(bytes(json), getMaxDelimiters(0)) as { hasPlainTexts: boolean }
        if (hasPlainTexts) expect(isPlain).toBe(true)
        if (/^[ -[\]-~]*$/.test(json)) expect(hasPlainTexts).toBe(true)
      }),
    )
  })

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['a truncated sequence', [0x22, 0xc3, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s', (_, raw) => {
    expect(readBytes(Uint8Array.from(raw))).toEqual({ fault: 'The text is not valid UTF-8.' })
  })

  it.each([
    ['{"a":}', 'at line 1, column 6'],
    ['{\n  "a": 1,\n  b: 2\n}', 'at line 3, column 3'],
    ['[1,2', 'because it ends too early'],
    ['"abc', 'because it ends too early'],
    ['{"a":1}x', 'at line 1, column 8'],
    [' ', 'because it ends too early'],
    ['nul', 'because it ends too early'],
    ["{'a':1}", 'at line 1, column 2'],
    ['[01]', 'at line 1, column 3'],
    ['[NaN]', 'at line 1, column 2'],
    ['"a\nb"', 'at line 1, column 3'],
  ])('says where %j is wrong', (text, position) => {
    expect(read(text)).toEqual({ fault: `The JSON is malformed ${position}.` })
  })

  it('repeats nothing of the body', () => {
    expect(JSON.stringify(read('{"password":"hunter2",}'))).not.toMatch(/password|hunter2/)
  })

  it('keeps __proto__ as an own name', () => {
    const { value } = readJson(bytes('{"__proto__":{"polluted":1}}'), getMaxDelimiters(0)) as { value: object }
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(value).not.toHaveProperty('polluted')
  })
})

describe('size', () => {
  it('is bounded by commas, colons and brackets: 65,536, and one for 16 bytes of a higher limit', () => {
    const numbers = (count: number): string => `[${'1,'.repeat(count - 1)}1]`
    expect(read(numbers(65_536))).toHaveProperty('value')
    const fault = 'The JSON has too many values: more than 65536 commas, colons and opening brackets.'
    expect(read(numbers(65_537))).toEqual({ fault })
    expect(readJson(bytes(numbers(65_537)), getMaxDelimiters(2 * 1024 * 1024))).toHaveProperty('value')
  })

  it('is not that of texts', () => {
    expect(read(JSON.stringify('[{:,'.repeat(100_000)))).toHaveProperty('value')
  })
})

describe('depth', () => {
  const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth)

  it('allows 64 levels and no more', () => {
    expect(read(nested(MAX_JSON_DEPTH))).toHaveProperty('value')
    expect(read(nested(MAX_JSON_DEPTH + 1))).toEqual({ fault: 'The JSON is nested deeper than 64 levels.' })
    expect(read(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).toHaveProperty('value')
    expect(read(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toHaveProperty('fault')
    expect(read(`${'[{"a":'.repeat(33)}1${'}]'.repeat(33)}`)).toHaveProperty('fault')
  })

  it('does not count brackets side by side or in strings', () => {
    expect(read(`[${Array.from({ length: 500 }, () => '[{}]').join()}]`)).toHaveProperty('value')
    expect(read(JSON.stringify([nested(500), `"${nested(100)}\\"`, '\\', { [nested(99)]: 1 }]))).toHaveProperty('value')
    expect(read(`["\\"${'['.repeat(200)}"]`)).toHaveProperty('value')
  })

  it('survives brackets without end, with and without a beginning', () => {
    expect(read('['.repeat(1_000_000))).toHaveProperty('fault')
    expect(read(']'.repeat(1_000_000))).toEqual({ fault: 'The JSON is malformed at line 1, column 1.' })
    expect(read(`${'\n'.repeat(1_000_000)}]`)).toEqual({ fault: 'The JSON is malformed at line 1000001, column 1.' })
    expect(read(`${']'.repeat(500_000)}${'['.repeat(500_000)}`)).toHaveProperty('fault')
    expect(read(`"${'[\\"'.repeat(300_000)}`)).toHaveProperty('fault')
  })
})

describe('jsonErrorAt', () => {
  it('looks no deeper than it is told', () => {
    const found = ['[[1]]', '[[1], {"a":1}]', '[[[1]]]', '[[1],[[', '[[1],[x'].map((text) => findJsonError(text, 2))
    expect(found).toEqual([-1, -1, TOO_DEEP, TOO_DEEP, 6])
  })

  const signs = [
    '',
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '1',
    '-',
    '.',
    'e',
    '\\',
    'u',
    't',
    '\n',
    '\u0001',
    ' ',
    'é',
  ]
  const mutation = fc.tuple(fc.nat({ max: 70 }), fc.nat({ max: 2 }), fc.constantFrom(...signs))
  const base = '{"a":[1,-2.5e+3,true,false,null,"x\\u00e9\\n"],"b":{"c":""} , "d":0}'

  it('finds an error exactly where JSON.parse throws', () => {
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 2 }), (mutations) => {
        const text = mutations.reduce((old, [at, cut, sign]) => old.slice(0, at) + sign + old.slice(at + cut), base)
        const thrown = getMessage(text)
        const at = findJsonError(text, 64)
        expect(at >= 0).toBe(thrown !== undefined)
        const position = /at position (\d+)/.exec(thrown ?? '')?.[1]
        if (position !== undefined) expect(at).toBe(Number(position))
      }),
      { numRuns: 3000 },
    )
  })
})

function getMessage(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
