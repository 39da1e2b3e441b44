// Example texts: chosen by the attribute's name, cut or padded to its limits.
import type { ExampleSeed } from '../example.ts'
import { type StringFormat, textFormats } from './text-format.ts'
import { makePatternExample } from './text-pattern.ts'

/** The constraints of an example text. */
export interface TextExampleRules {
  readonly format: StringFormat | undefined
  readonly pattern: RegExp | undefined
  readonly min: number
  readonly max: number
}

/** Creates an example text for the location of the seed. */
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
  ['description', 'A machine that follows its instructions.'],
  ['summary', 'A machine that follows its instructions.'],
  ['body', 'A machine that follows its instructions.'],
  ['content', 'A machine that follows its instructions.'],
  ['token', 'c2VjcmV0'],
])

const EXAMPLE_WORDS = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor']

// The last word of `author_email` and `authorEmail` determines the text.
function chooseTextByName(seed: ExampleSeed): string {
  const last = seed.name.match(/[A-Za-z][a-z]*$/)?.[0].toLowerCase() ?? ''
  return TEXTS_BY_NAME.get(last) ?? (EXAMPLE_WORDS[seed.numberBelow(EXAMPLE_WORDS.length)] as string)
}
