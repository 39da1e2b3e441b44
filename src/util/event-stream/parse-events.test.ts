// Streams of events in whatever pieces they arrive, and the examples of the HTML standard.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { COMMENT, EventParser, formatEvent, formatRetry } from './parse-events.ts'

const parse = (...pieces: readonly string[]) => {
  const parser = new EventParser()
  return pieces.flatMap((piece) => [...parser.parse(piece)])
}

describe('[EVT-02] a parser of events', () => {
  it('finds the same events whatever pieces the stream is cut into, and whatever ends its lines', () => {
    const anyName = fc.stringMatching(/^[^\0\r\n]{1,8}$/)
    const anyPart = fc.oneof(
      fc.record({
        event: anyName,
        id: fc.option(anyName, { nil: undefined }),
        data: fc.array(fc.stringMatching(/^[^\r\n]{0,8}$/), { minLength: 1, maxLength: 3 }),
      }),
      fc.constant('comment' as const),
      fc.constant('retry' as const),
    )
    const anyStream = fc.record({
      parts: fc.array(anyPart, { maxLength: 8 }),
      lineEnd: fc.constantFrom('\n', '\r', '\r\n'),
      mark: fc.boolean(),
      cuts: fc.array(fc.nat(200), { maxLength: 12 }),
    })
    fc.assert(
      fc.property(anyStream, ({ parts, lineEnd, mark, cuts }) => {
        let last = ''
        const expected = parts.flatMap((part) => {
          if (typeof part === 'string') return []
          last = part.id ?? last
          return [{ event: part.event, id: last, data: part.data.join('\n') }]
        })
        const written = parts.map((part) => {
          if (part === 'comment') return COMMENT
          return part === 'retry' ? formatRetry(7) : formatEvent(part.event, part.data.join('\n'), part.id)
        })
        const text = (mark ? '\ufeff' : '') + written.join('').replaceAll('\n', lineEnd)
        const ends = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b)
        const pieces = [0, ...ends].map((from, i) => text.slice(from, ends[i] ?? text.length))
        expect(parse(...pieces)).toEqual(expected)
        expect(parse(text)).toEqual(expected)
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('reads the examples of the standard', () => {
    expect(
      parse(': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n'),
    ).toEqual([
      { event: 'message', data: 'first event', id: '1' },
      { event: 'message', data: 'second event', id: '' },
      { event: 'message', data: ' third event', id: '' },
    ])
    expect(parse('data\n\ndata\ndata\n\ndata:')).toEqual([
      { event: 'message', data: '', id: '' },
      { event: 'message', data: '\n', id: '' },
    ])
    expect(parse('data: YHOO\ndata: +2\ndata: 10\n\n')).toEqual([{ event: 'message', data: 'YHOO\n+2\n10', id: '' }])
  })

  it('takes an event at once whose last line ends with CR, and no event that is cut off', () => {
    const parser = new EventParser()
    expect(parser.parse('data: 1\r\r')).toEqual([{ event: 'message', data: '1', id: '' }])
    expect(parser.parse('\ndata: 2\r\n\r')).toEqual([{ event: 'message', data: '2', id: '' }])
    expect(parser.parse('\ndata: 3\r\n')).toEqual([])
  })

  it('ignores ids with NUL, retries that are no numbers, and unknown fields', () => {
    const parser = new EventParser()
    expect(parser.parse('id: a\0b\nretry: 5s\nother: x\ndata: 1\n\n')).toEqual([
      { event: 'message', data: '1', id: '' },
    ])
    expect(parser.retry).toBeUndefined()
    parser.parse('retry: 250\nid: 7\n\n')
    expect([parser.retry, parser.lastEventId]).toEqual([250, '7'])
  })
})
