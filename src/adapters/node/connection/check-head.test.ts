// Faults of heads, checked against a model of the rules: Node's parser rejects most of them first, unless users
// configure it to be lenient.
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { checkHead } from './check-head.ts'

type Line = readonly [name: string, value: string]

const head = (minor: number, lines: readonly Line[], url = '/'): IncomingMessage =>
  ({ rawHeaders: lines.flat(), httpVersionMajor: 1, httpVersionMinor: minor, url }) as unknown as IncomingMessage

const HOST: Line = ['Host', 'a.test']
const times = <T>(count: number, one: T): T[] => Array<T>(count).fill(one)

describe('a head', () => {
  it('says once at most how long its body is', () => {
    for (const minor of [0, 1])
      for (const lengths of [0, 1, 2, 3])
        for (const codings of [0, 1, 2])
          for (const name of ['Content-Length', 'CONTENT-LENGTH', 'content-length']) {
            const lines = [
              HOST,
              ...times(lengths, [name, '3'] as const),
              ...times(codings, ['Transfer-Encoding', 'chunked'] as const),
            ]
            const expected = (): string | undefined => {
              if (lengths > 1 || (codings > 0 && lengths > 0)) return 'malformed'
              if (codings > 0 && minor === 0) return 'malformed'
              return codings > 1 ? 'coding' : undefined
            }
            for (const ordered of [lines, [...lines].reverse()])
              expect(checkHead(head(minor, ordered)), JSON.stringify([minor, ordered])).toBe(expected())
          }
  })

  it.each([
    [['chunked'], undefined],
    [['Chunked'], undefined],
    [['gzip'], 'malformed'],
    [['identity'], 'malformed'],
    [['gzip, chunked'], 'coding'],
    [['gzip ,\tchunked'], 'coding'],
    [['gzip', 'chunked'], 'coding'],
    [['chunked, gzip'], 'malformed'],
    [['chunked', 'gzip'], 'malformed'],
    [['chunked,'], 'malformed'],
    [[''], 'malformed'],
  ])('of the codings %j is: %s', (values, flaw) => {
    const lines = values.map((value) => ['transfer-Encoding', value] as const)
    expect(checkHead(head(1, [HOST, ...lines]))).toBe(flaw)
  })

  it('has one host, or none before HTTP/1.1', () => {
    for (const minor of [0, 1, 2])
      for (const hosts of [0, 1, 2, 3]) {
        const isRight = hosts === 1 || (hosts === 0 && minor !== 1)
        expect(checkHead(head(minor, times(hosts, HOST)))).toBe(isRight ? undefined : 'host')
      }
  })

  it('has as many characters as allowed, names, values and target together', () => {
    const lines: Line[] = [HOST, ['X-A', 'bc']]
    const size = '/path'.length + 'Host'.length + 'a.test'.length + 'X-A'.length + 'bc'.length
    const flaws = [size - 1, size, size + 1].map((most) => checkHead(head(1, lines, '/path'), most))
    expect(flaws).toEqual(['headersTooLarge', undefined, undefined])
    expect(checkHead(head(1, lines, 'x'.repeat(1 << 20)))).toBeUndefined()
  })

  it('expects 100-continue and nothing else, from HTTP/1.1 on', () => {
    const flaw = (minor: number, value: string) => checkHead(head(minor, [HOST, ['Expect', value]]))
    expect([flaw(1, '100-continue'), flaw(1, '100-Continue'), flaw(0, 'cake')]).toEqual(times(3, undefined))
    expect([flaw(1, 'cake'), flaw(1, '100-continue, cake'), flaw(1, '')]).toEqual(times(3, 'expectation'))
  })

  it('is of HTTP/1', () => {
    const other = { ...head(1, [HOST]), httpVersionMajor: 2 } as IncomingMessage
    expect(checkHead(other)).toBe('malformed')
  })
})
