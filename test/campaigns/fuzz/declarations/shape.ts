// Shapes: attributes as plain data, which the generator understands by itself.
import type { Draw } from '../draw.ts'

/** The options that every attribute has. */
interface Shared {
  readonly required?: boolean
  readonly nullable?: boolean
  /** The seed of its default, if it has one. */
  readonly initial?: number
}

/** Limits on a number or a size. */
export interface Bounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export interface TextShape extends Shared, Bounds {
  readonly kind: 'string'
  readonly pattern?: number | undefined
  readonly format?: 'uuid' | 'uri' | 'email' | undefined
  readonly values?: readonly string[] | undefined
}
export interface NumberShape extends Shared, Bounds {
  readonly kind: 'integer' | 'number' | 'bigint'
  readonly values?: readonly number[] | undefined
}
export interface PlainShape extends Shared {
  readonly kind: 'boolean' | 'date' | 'time' | 'dateTime' | 'any' | 'tree' | 'checked' | 'checkedLater' | 'file'
}
export interface ListShape extends Shared, Bounds {
  readonly kind: 'collection' | 'hash'
  readonly of: Shape
  /** Lists of single values only. */
  readonly delimiter?: ',' | ' ' | '|' | undefined
}
export interface StructShape extends Shared {
  readonly kind: 'struct'
  readonly fields: Fields
}
export interface UnionShape extends Shared {
  readonly kind: 'union'
  readonly tag: string
  readonly variants: Readonly<Record<string, Fields>>
}
export interface RefShape extends Shared {
  readonly kind: 'ref'
  readonly lazy: boolean
  readonly of: Shape
}
export interface JsonShape extends Shared {
  readonly kind: 'json'
  readonly of: Shape
}
export interface MediaShape extends Shared {
  readonly kind: 'media'
  readonly media: Media
  /** A view of it; undefined for the media type itself. */
  readonly view?: string | undefined
}

/** An attribute as data. */
export type Shape =
  | TextShape
  | NumberShape
  | PlainShape
  | ListShape
  | StructShape
  | UnionShape
  | RefShape
  | JsonShape
  | MediaShape

/** Named attributes. */
export type Fields = Readonly<Record<string, Shape>>

/** A media type as data. */
export interface Media {
  readonly name: string
  readonly fields: Fields
  readonly views: Readonly<Record<string, readonly string[]>>
}

/** Tells whether one of some attributes is a file, or a list of them. */
export const hasFiles = (fields: Fields): boolean =>
  Object.values(fields).some(({ kind, ...rest }) => kind === 'file' || (rest as { of?: Shape }).of?.kind === 'file')

/** The form in which a payload is read, through references. */
export function formOf(shape: Shape): 'text' | 'structure' | 'file' | 'value' {
  if (shape.kind === 'ref') return shape.lazy ? 'value' : formOf(shape.of)
  if (shape.kind === 'string') return 'text'
  if (shape.kind === 'file') return 'file'
  return shape.kind === 'struct' || shape.kind === 'media' || shape.kind === 'tree' ? 'structure' : 'value'
}

/** A pattern of texts, with texts that match and one that does not. */
interface KnownPattern {
  readonly pattern: RegExp
  readonly good: (draw: Draw) => string
  readonly bad: string
}

/** The patterns that shapes choose from. */
export const PATTERNS: readonly KnownPattern[] = [
  {
    pattern: /[a-z]{2,4}-\d+/,
    good: (draw) => `${draw.pick(['ab', 'xyz', 'wxyz'])}-${draw.int(0, 999)}`,
    bad: 'ab-1x',
  },
  { pattern: /\d{3}/, good: (draw) => String(draw.int(100, 999)), bad: '1234' },
  { pattern: /(?:ab|cd)*x/, good: (draw) => `${'abcd'.repeat(draw.int(0, 3))}x`, bad: 'abcdxx' },
  { pattern: /[A-F]+/i, good: (draw) => draw.pick(['a', 'Fed', 'CAFE']), bad: 'g' },
]
