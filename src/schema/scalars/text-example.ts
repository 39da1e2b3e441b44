// Texts for examples: what an attribute's name suggests, cut or filled to its limits.
import type { ExampleSeed } from '../example.ts'
import { makePatternExample } from './text-pattern.ts'
import { textFormats, type StringFormat } from './text-format.ts'

/** The rules that an example of a text has to follow. */
export interface TextExampleRules {
  readonly format: StringFormat | undefined
  readonly pattern: RegExp | undefined
  readonly min: number
  readonly max: number
}

/** Makes an example of a text from the place it stands at. */
export function makeTextExample(seed: ExampleSeed, { format, pattern, min, max }: TextExampleRules): string {
  if (pattern !== undefined) return makePatternExample(pattern, min) ?? ''
  if (format !== undefined) return textFormats[format].example
  const text = chooseTextByName(seed)
  if (text.length > max) return text.slice(0, max)
  return text.length < min ? text.padEnd(min, ` ${text}`) : text
}

const TEXTS_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['email', 'ada@example.com'],
  ['name', 'Ada Lovelace'],
  ['title', 'Notes on the Analytical Engine'],
  ['url', 'https://example.com/'],
  ['uri', 'https://example.com/'],
  ['href', 'https://example.com/'],
  ['link', 'https://example.com/'],
  ['phone', '+44 20 7946 0958'],
  ['city', 'London'],
  ['country', 'GB'],
  ['language', 'en'],
  ['locale', 'en-GB'],
  ['currency', 'GBP'],
  ['slug', 'analytical-engine'],
  ['description', 'A machine that follows what it is told.'],
  ['summary', 'A machine that follows what it is told.'],
  ['body', 'A machine that follows what it is told.'],
  ['content', 'A machine that follows what it is told.'],
  ['token', 'c2VjcmV0'],
])

const EXAMPLE_WORDS = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor']

// `author_email` and `authorEmail` end in the word that says what they hold.
function chooseTextByName(seed: ExampleSeed): string {
  const last = seed.name.match(/[A-Za-z][a-z]*$/)?.[0].toLowerCase() ?? ''
  return TEXTS_BY_NAME.get(last) ?? (EXAMPLE_WORDS[seed.pick(EXAMPLE_WORDS.length)] as string)
}
