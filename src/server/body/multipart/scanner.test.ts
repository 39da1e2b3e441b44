import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MultipartScanner } from './scanner.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('latin1')

/** Returns the parts of a body that arrives in these chunks, or its fault. */
function scan(chunks: readonly Uint8Array[], boundary = 'b', headLimit = 100): unknown {
  const scanner = new MultipartScanner(boundary, headLimit)
  const parts: { head: string; data: string; ended: boolean }[] = []
  for (const chunk of chunks) {
    scanner.feed(chunk)
    for (let event = scanner.next(); event !== undefined; event = scanner.next()) {
      if (event.kind === 'fault') return event.why.detail
      const part = parts.at(-1)
      if (event.kind === 'head') parts.push({ head: decoder.decode(event.bytes), data: '', ended: false })
      else if (event.kind === 'end') part!.ended = true
      else part!.data += decoder.decode(event.bytes)
    }
  }
  return { parts: parts.map(({ head, data, ended }) => [head, data, ended]), closed: scanner.closed }
}

const scanText = (text: string, boundary?: string, headLimit?: number): unknown =>
  scan([encoder.encode(text)], boundary, headLimit)

const bytewise = (text: string, boundary?: string, headLimit?: number): unknown =>
  scan(
    Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte)),
    boundary,
    headLimit,
  )

describe('bodies', () => {
  it.each([
    [
      'two parts',
      '--b\r\nA: 1\r\n\r\none\r\n--b\r\nB: 2\r\nC: 3\r\n\r\ntwo\r\n--b--\r\n',
      [
        ['A: 1', 'one', true],
        ['B: 2\r\nC: 3', 'two', true],
      ],
    ],
    ['no part', '--b--\r\n', []],
    ['no line end at the end', '--b\r\n\r\nx\r\n--b--', [['', 'x', true]]],
    ['a part without head', '--b\r\n\r\nx\r\n--b--', [['', 'x', true]]],
    ['a stray CR in a head', '--b\r\nA: 1\r\r\n\r\nx\r\n--b--', [['A: 1\r', 'x', true]]],
    ['empty data', '--b\r\nA: 1\r\n\r\n\r\n--b--', [['A: 1', '', true]]],
    ['no data at all', '--b\r\nA: 1\r\n\r\n--b--', [['A: 1', '', true]]],
    ['neither head nor data', '--b\r\n\r\n--b--', [['', '', true]]],
    ['a preamble and an epilogue', 'Hello --b\r\n-b\r\n--b\r\n\r\nx\r\n--b--\r\n--b\r\n\r\ny', [['', 'x', true]]],
    [
      'padding behind boundaries',
      '--b \t \r\n\r\nx\r\n--b\t\r\n\r\ny\r\n--b--',
      [
        ['', 'x', true],
        ['', 'y', true],
      ],
    ],
    ['line ends in data', '--b\r\n\r\n\r\n\r\n\r\r\n\n\r\n--b--', [['', '\r\n\r\n\r\r\n\n', true]]],
    ['almost a boundary', '--b\r\n\r\n\r\n-b\r\n--\r\n--a\r\r\n--b--', [['', '\r\n-b\r\n--\r\n--a\r', true]]],
    [
      'a boundary that is not at the start of a line',
      '--b\r\n\r\nx--b\n--b\r--b\r\n--b--',
      [['', 'x--b\n--b\r--b', true]],
    ],
  ])('%s', (_, text, parts) => {
    expect(scanText(text)).toEqual({ parts, closed: true })
    expect(bytewise(text)).toEqual({ parts, closed: true })
  })

  it('is not closed before the last boundary', () => {
    const text = '--b\r\nA: 1\r\n\r\none\r\n--b\r\nB: 2\r\n\r\ntwo\r\n--b--'
    for (let length = 0; length < text.length; length++) {
      expect(scanText(text.slice(0, length))).toHaveProperty('closed', false)
    }
  })

  it.each(['--b-\r\n', '--bx\r\n', '--b \rx', '--b x', '--b\n', '--b\r\r\n', '--b -', '--b-x'])(
    '%j is no boundary',
    (text) => {
      for (const result of [scanText(text), bytewise(text)]) expect(result).toContain('not followed by a line end')
    },
  )

  it('limits the head of a part', () => {
    const head = (size: number): string => `--b\r\n${'x'.repeat(size - 4)}\r\n\r\n\r\n--b--`
    expect(scanText(head(100))).toHaveProperty('closed', true)
    for (const result of [scanText(head(101)), bytewise(head(101))]) {
      expect(result).toBe('The head of a part is larger than 100 bytes.')
    }
  })
})

describe('laws', () => {
  // Few letters, so that partial boundaries are common.
  const data = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'b', 'c', 'é') })
  const boundary = fc.constantFrom('b', 'bb', '-b', 'b-', '--', 'bcb', 'b-----b')
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 })
  const latin = (text: string): string => decoder.decode(encoder.encode(text))

  it('any split of any body gives the parts that were put into it', () => {
    fc.assert(
      fc.property(fc.array(data, { maxLength: 4 }), data, boundary, cuts, (contents, preamble, name, positions) => {
        const free = [preamble, ...contents].every((text) => !`\r\n${text}\r\n`.includes(`\r\n--${name}`))
        fc.pre(free)
        const parts = contents.map((text) => `--${name}\r\nN: v\r\n\r\n${text}\r\n`)
        const bytes = encoder.encode(`${preamble}\r\n${parts.join('')}--${name}--\r\nend`)
        const sorted = [0, ...positions.map((position) => position % bytes.length).sort((a, b) => a - b), bytes.length]
        const chunks = sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end))
        const expected = { parts: contents.map((text) => ['N: v', latin(text), true]), closed: true }
        expect(scan(chunks, name)).toEqual(expected)
        expect(scan([bytes], name)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('any bytes in any split give what they give as one chunk', () => {
    const noise = fc.string({
      unit: fc.constantFrom('\r\n', '\r', '\n', '--b', '-', 'b', ' ', '\r\n--b\r\n', '\r\n\r\n'),
    })
    fc.assert(
      fc.property(noise, cuts, (text, positions) => {
        const bytes = encoder.encode(text)
        const sorted = [
          0,
          ...positions.map((position) => position % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ]
        const chunks = sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end))
        expect(scan(chunks)).toEqual(scan([bytes]))
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['carriage returns', '\r'],
    ['line ends', '\r\n'],
    ['half boundaries', `\r\n--${'b'.repeat(69)}`],
    ['dashes', '\r\n--'],
  ])(
    'a megabyte of %s is read to its end, in one chunk or many, where more than linear time would hang',
    (_, piece) => {
      const name = 'b'.repeat(70)
      const bytes = encoder.encode(`--${name}\r\n\r\n${piece.repeat(1_000_000 / piece.length)}\r\n--${name}--`)
      const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7))
      expect([scan([bytes], name), scan(chunks, name)]).toMatchObject([{ closed: true }, { closed: true }])
    },
  )
})
