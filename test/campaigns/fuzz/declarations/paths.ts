// Paths as data: their patterns, texts that match them, and a simple matcher that knows nothing of the router.
import fc from 'fast-check'
import type { Draw } from '../draw.ts'

/** One piece of a path. */
export type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'choice'; readonly texts: readonly string[] }
  | { readonly is: 'capture'; readonly name: string; readonly plain: boolean }
  | { readonly is: 'wildcard'; readonly name: string | undefined }
  | { readonly is: 'optional'; readonly pieces: readonly Piece[] }

/** A path: its pieces, one after the other. */
export type Path = readonly Piece[]

const SPECIAL = /[:*()|?\\]/g

/** The path as a route declares it. */
export const patternOf = (path: Path): string => path.map(pieceText).join('')

function pieceText(piece: Piece): string {
  if (piece.is === 'text') return piece.text.replace(SPECIAL, '\\$&')
  if (piece.is === 'choice') return `(${piece.texts.join('|')})`
  if (piece.is === 'capture') return `:${piece.name}`
  return piece.is === 'wildcard' ? `*${piece.name ?? ''}` : `(${patternOf(piece.pieces)})?`
}

// Within a capture, an encoded slash is no separator; this character stands for it here.
const SLASH = '\ue000'

/** A path as it is sent, as the simple matcher reads it, and what each name captures. */
export interface Sample {
  text: string
  flat: string
  captured: Record<string, string>
  splat: string[]
}

/** Writes a path; `values` gives what captures are to hold, and wildcards hold anything. */
export function sampleOf(path: Path, values: (name: string, plain: boolean) => string, draw: Draw): Sample {
  const sample: Sample = { text: '', flat: '', captured: {}, splat: [] }
  write(path, sample, values, draw)
  return sample
}

function write(path: Path, sample: Sample, values: (name: string, plain: boolean) => string, draw: Draw): void {
  for (const piece of path) {
    if (piece.is === 'optional') {
      if (draw.chance(0.5)) write(piece.pieces, sample, values, draw)
    } else if (piece.is === 'capture') {
      const value = values(piece.name, piece.plain)
      sample.captured[piece.name] = value
      sample.text += encodeURIComponent(value)
      sample.flat += value.replaceAll('/', SLASH)
    } else {
      const text = textOf(piece, draw)
      if (piece.is === 'wildcard') {
        if (piece.name === undefined) sample.splat.push(text)
        else sample.captured[piece.name] = text
      }
      sample.text += encodeURIComponent(text).replaceAll('%2F', '/')
      sample.flat += text
    }
  }
}

function textOf(piece: Extract<Piece, { readonly is: 'text' | 'choice' | 'wildcard' }>, draw: Draw): string {
  if (piece.is === 'wildcard') return wild(draw)
  return piece.is === 'choice' ? draw.pick(piece.texts) : piece.text
}

const wild = (draw: Draw): string => draw.pick(['', 'one', 'one/two', 'ü/x y', 'a//b', 'deep/er/still', '%41', 'end/'])

/** The expression that matches what a path does. */
export function matcherOf(path: Path, slash: boolean): RegExp {
  return new RegExp(`^${expressionOf(path)}${slash ? '/?' : ''}$`, 's')
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const expressionOf = (path: Path): string =>
  path
    .map((piece) => {
      if (piece.is === 'text') return quoted(piece.text)
      if (piece.is === 'choice') return `(?:${piece.texts.map(quoted).join('|')})`
      if (piece.is === 'capture') return '[^/]+'
      return piece.is === 'wildcard' ? '.*' : `(?:${expressionOf(piece.pieces)})?`
    })
    .join('')

/** The forms of a path without the names of what it captures: two routes with a common one may be told apart by nothing. */
export function formsOf(path: Path): string[] {
  return path.reduce<string[]>(
    (forms, piece) => forms.flatMap((form) => pieceForms(piece).map((one) => form + one)),
    [''],
  )
}

function pieceForms(piece: Piece): readonly string[] {
  if (piece.is === 'text') return [piece.text]
  if (piece.is === 'choice') return piece.texts
  if (piece.is === 'optional') return ['', ...formsOf(piece.pieces)]
  return piece.is === 'capture' ? ['{}'] : ['{*}']
}

/** The names that a path captures, those that may be left out included. */
export const namesIn = (path: Path): string[] =>
  path.flatMap((piece) => {
    if (piece.is === 'optional') return namesIn(piece.pieces)
    return (piece.is === 'capture' || piece.is === 'wildcard') && piece.name !== undefined ? [piece.name] : []
  })

/** How many wildcards without a name a path has. */
export const wildcardsIn = (path: Path): number =>
  path.filter((piece) => piece.is === 'wildcard' && piece.name === undefined).length

const text = (word: string): Piece => ({ is: 'text', text: word })
const capture = (name: string, plain: boolean): Piece => ({ is: 'capture', name, plain })

/** The last parts of a path, of which a segment has one; `n` makes its names those of one endpoint. */
const tails = (n: number): readonly Path[] => [
  [],
  [text('/ü')],
  [text('/odd name')],
  [text('/q?')],
  [text('/'), { is: 'choice', texts: ['parts', 'pieces'] }],
  [text('/'), capture(`key${n}`, false)],
  [text('/'), capture(`key${n}`, true), text('.'), capture(`ext${n}`, true)],
  [text('/'), capture(`key${n}`, true), { is: 'optional', pieces: [text('.'), capture(`ext${n}`, true)] }],
  [text('/at-'), capture(`key${n}`, true)],
  [text('/files/'), { is: 'wildcard', name: undefined }],
  [text('/rest/'), { is: 'wildcard', name: `rest${n}` }],
  [text('/from/'), { is: 'wildcard', name: undefined }, text('/raw/'), { is: 'wildcard', name: undefined }],
]

/** Paths of an endpoint's routes; most begin with a word that only they have. */
export const paths = (n: number, word: string): fc.Arbitrary<Path> =>
  fc
    .tuple(fc.nat(9), fc.constantFrom(...tails(n)))
    .map(([own, tail]) => [
      ...(own < 7 ? [text(`/${word}`)] : []),
      ...(own === 7 ? [text('/'), capture(`id${n}`, false)] : []),
      ...tail,
    ])

/** The path of a `show` action. */
export const canonicalPath = (n: number): Path => [text('/'), capture(`id${n}`, false)]

/** A path of one text. */
export const fixed = (word: string): Path => (word === '' ? [] : [text(word)])
