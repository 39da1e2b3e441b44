import { describe, expect, it } from 'vitest'
import { isFile } from '../../schema/structures/file.ts'
import { BufferedFile, concatBytes, StreamedFile, sanitizeFilename } from './received-file.ts'

const head = { filename: 'a.txt', type: 'text/plain' }
const pieces = ['Gr', 'üße', ' 😀'].map((text) => new TextEncoder().encode(text))

async function* arriving(taken: string[] = []): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (const [i, piece] of pieces.entries()) {
      taken.push(`piece ${i}`)
      yield piece
    }
  } finally {
    taken.push('released')
  }
}

describe('a buffered file', () => {
  it('is a file that can be read in every way, as often as wanted', async () => {
    const file = new BufferedFile(head, pieces)
    expect(isFile(file)).toBe(true)
    expect(file).toMatchObject({ filename: 'a.txt', type: 'text/plain', size: 12 })
    for (let times = 0; times < 2; times++) {
      expect(await file.bytes()).toEqual(concatBytes(pieces))
      expect(await file.text()).toBe('Grüße 😀')
      expect(await new Response(file.stream()).text()).toBe('Grüße 😀')
    }
  })

  it('may be empty', async () => {
    const file = new BufferedFile(head, [])
    expect([file.size, await file.text(), await new Response(file.stream()).text()]).toEqual([0, '', ''])
  })
})

describe('a streamed file', () => {
  it('has a size once it has arrived, and can be read once', async () => {
    const file = new StreamedFile(head, arriving())
    expect(isFile(file)).toBe(true)
    expect(file.size).toBeUndefined()
    expect(await file.text()).toBe('Grüße 😀')
    expect(file.size).toBe(12)
    expect(() => file.stream()).toThrow('can be read only once')
    await expect(file.text()).rejects.toThrow('can be read only once')
  })

  it('takes nothing before it is read, and then one piece at a time', async () => {
    const taken: string[] = []
    const reader = new StreamedFile(head, arriving(taken)).stream().getReader()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(taken).toEqual([])
    await reader.read()
    expect(taken).toEqual(['piece 0'])
    await reader.cancel()
    expect(taken).toEqual(['piece 0', 'released'])
  })

  it('has no size when it broke off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield* pieces
      throw new Error('gone')
    }
    const file = new StreamedFile(head, broken())
    await expect(file.bytes()).rejects.toThrow('gone')
    expect(file.size).toBeUndefined()
  })
})

it.each([
  ['a.txt', 'a.txt'],
  ['/etc/passwd', 'passwd'],
  ['C:\\a\\b.txt', 'b.txt'],
  ['a/b\\c/d', 'd'],
  ['..', ''],
  ['a/..', ''],
  ['a/', ''],
  ['a\u0000b\r\n\u007f.txt', 'ab.txt'],
  ['\u0000..', ''],
  ['...', '...'],
  ['naïve 😀.txt', 'naïve 😀.txt'],
])('the name %j is shown as %j', (sent, shown) => {
  expect(sanitizeFilename(sent)).toBe(shown)
})

describe('the pieces of a file', () => {
  it('come one after the other, whether it is here already or still arriving', async () => {
    for (const file of [new BufferedFile(head, pieces), new StreamedFile(head, arriving())]) {
      const seen: Uint8Array[] = []
      for await (const piece of file) seen.push(piece)
      expect(seen).toEqual(pieces)
      expect(file.size).toBe(concatBytes(pieces).length)
    }
  })

  it('come once while it is arriving', async () => {
    const file = new StreamedFile(head, arriving())
    for await (const _ of file) break
    expect(() => file[Symbol.asyncIterator]()).toThrow('can be read only once')
  })
})
