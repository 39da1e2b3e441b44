// Source maps of tables: each export leads to the line of its declaration.

/** A source map, version 3. */
export interface SourceMap {
  readonly version: 3
  readonly file: string
  readonly sources: string[]
  readonly sourcesContent: string[]
  readonly names: string[]
  readonly mappings: string
}

/** Makes the map of a module from the line of the source for each of its lines; undefined for lines without one. */
export function makeSourceMap(file: string, source: string, lines: readonly (number | undefined)[]): SourceMap {
  let previous = 0
  const mappings = lines.map((line) => {
    if (line === undefined) return ''
    // The column, the source, the line of the source, its column: each relative to the one before.
    const segment = ['A', 'A', encodeNumber(line - previous), 'A'].join('')
    previous = line
    return segment
  })
  return { version: 3, file, sources: [file], sourcesContent: [source], names: [], mappings: mappings.join(';') }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

// Base 64 VLQ: five bits for each digit, from the lowest; the first bit is the sign.
function encodeNumber(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
