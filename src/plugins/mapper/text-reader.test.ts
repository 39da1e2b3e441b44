import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextReader } from './text-reader.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })

test('the tokens that are taken are the text, and positions count its characters', () => {
  fc.assert(
    fc.property(text, (given) => {
      const reader = new TextReader(given)
      const taken: string[] = []
      while (!reader.isAtEnd) {
        expect(reader.characterNumber).toBe([...taken.join('')].length + 1)
        expect(reader.isNext(reader.character)).toBe(true)
        taken.push(reader.take(/[a-z ]+/y) || reader.take(/./suy))
      }
      expect(taken.join('')).toBe(given)
      expect(reader.character).toBe('')
    }),
  )
})

test('a sign is skipped where it is next, and nowhere else', () => {
  fc.assert(
    fc.property(text, text, (first, sign) => {
      fc.pre(sign !== '')
      const reader = new TextReader(first + sign)
      expect(reader.take(/\p{L}*/uy) === first && reader.skip(sign)).toBe(
        /^\p{L}*$/u.test(first) && !/^\p{L}/u.test(sign),
      )
    }),
  )
})
