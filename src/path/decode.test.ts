// Tests of percent-decoding, compared with the platform's decoder.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePath, isWellFormedPath, restoreSeparators } from './index.ts'

describe('decodePath', () => {
  it('decodes what decodeURIComponent decodes, and refuses what it refuses', () => {
    const piece = fc.oneof(
      fc.constantFrom('%', '%2', '%2F', '%2f', '%3F', '%23', '%25', 'a', '/', '+', 'é'),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
      fc.string({ unit: 'binary', maxLength: 2 }).map(encodeURIComponent),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = pieces.join('')
        const { text, wellFormed } = decodePath(path)
        let expected: string | null = null
        try {
          expected = decodeURIComponent(path)
        } catch {}
        expect(wellFormed).toBe(expected !== null)
        if (expected !== null) expect(restoreSeparators(text)).toBe(expected)
      }),
      { numRuns: 5000 },
    )
  }, 30_000)

  it('keeps encoded separators apart from real ones', () => {
    const { text, guarded } = decodePath('/a%2Fb%3f%23')
    expect(guarded).toBe(true)
    expect(text.split('/')).toHaveLength(2)
    expect(text).not.toMatch(/[?#]/)
    expect(restoreSeparators(text)).toBe('/a/b?#')
  })

  it('leaves characters alone whose second half looks like a guarded separator', () => {
    const lookalike = String.fromCodePoint(0x1002f)
    expect(restoreSeparators(decodePath(`/${encodeURIComponent(lookalike)}%2F`).text)).toBe(`/${lookalike}/`)
  })

  it('cannot be tricked into a separator by a raw surrogate', () => {
    expect(restoreSeparators(decodePath('/\udc2f%2F').text)).toBe('/\ufffd/')
  })

  it.each(['/%', '/%zz', '/%C0%AF', '/%E0%80%AF', '/%F0%80%80%AF', '/%ED%A0%80', '/\ud800', '/\udc2f'])(
    'reports %j as malformed',
    (path) => {
      expect(isWellFormedPath(path)).toBe(false)
      expect(isWellFormedPath('/%F0%9F%98%80')).toBe(true)
    },
  )
})
