// Properties of entity tags and of the hash of bodies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { decodeTagText, type EntityTag, encodeTagText, parseTags } from './entity-tags.ts'
import { hashBody } from './hash-body.ts'

const text = fc.string({ unit: fc.constantFrom('!', '#', ',', 'x', 'a', '~', ';', '*', 'W', '/') })
const tag = fc.record({ text, weak: fc.boolean() })
const space = fc.constantFrom('', ' ', '\t', '  ')

const formatTag = ({ text, weak }: EntityTag): string => `${weak ? 'W/' : ''}"${text}"`

describe('lists of tags', () => {
  it('are read as they are written, whatever stands between them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(space, tag, space), { minLength: 1 }), fc.boolean(), (parts, empty) => {
        const list = parts.map(([before, one, after]) => before + formatTag(one) + after).join(empty ? ',,' : ',')
        expect(parseTags(list)).toEqual(parts.map(([, one]) => one))
      }),
      { numRuns: runs(200, 2000) },
    )
  })

  it.each(['abc', '"a', 'a"', '"a" "b"', 'w/"a"', '"a\u0001"', '"a"b', '**', '"a", *'])('%j is none', (header) => {
    expect(parseTags(header)).toBeUndefined()
  })

  it('any text is read in linear time and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        parseTags(header)
      }),
      { numRuns: runs(200, 2000) },
    )
    expect(parseTags(`${'"a",'.repeat(50_000)}x`)).toBeUndefined()
  })
})

it('every value comes back from its tag, which no list takes apart', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ';br', ';0;gzip'), (value, suffix) => {
      const tags = parseTags(`"${encodeTagText(value)}${suffix}"`) as readonly EntityTag[]
      expect(tags).toHaveLength(1)
      expect(decodeTagText(tags[0] as EntityTag)).toBe(value)
    }),
    { numRuns: runs(300, 3000) },
  )
})

it('bodies that differ have other hashes, and equal ones the same', () => {
  const seen = new Map<string, string>()
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (body) => {
      const hash = hashBody(body)
      expect(hash).toMatch(/^[\w-]+$/)
      expect(hashBody(body.slice(0))).toBe(hash)
      expect(seen.get(hash) ?? body).toBe(body)
      seen.set(hash, body)
      const bytes = new TextEncoder().encode(`xx${body}`)
      expect(hashBody(bytes.subarray(2))).toBe(hashBody(new TextEncoder().encode(body)))
    }),
    { numRuns: runs(500, 5000) },
  )
  const long = 'x'.repeat(4096)
  const hashes = Array.from({ length: 4096 }, (_, i) => hashBody(`${long.slice(0, i)}y${long.slice(i + 1)}`))
  expect(new Set(hashes).size).toBe(4096)
})

it('every bit of bytes counts in their hash, and so does their length', () => {
  const seen = new Map<string, string>()
  const checkHash = (bytes: Uint8Array): void => {
    const [hash, content] = [hashBody(bytes), String(bytes)]
    expect(seen.get(hash) ?? content).toBe(content)
    seen.set(hash, content)
  }
  for (let length = 0; length <= 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i)
    checkHash(bytes)
    for (let bit = 0; bit < length * 8; bit++) {
      const other = bytes.slice()
      other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7))
      checkHash(other)
    }
  }
})
