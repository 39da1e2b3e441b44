// Example texts: chosen by the attribute's name, within its limits.
import type { ExampleSeed } from '../example.ts'
import type { StringFormat } from './text-format.ts'
import { getPatternMatcher, makePatternExample } from './text-pattern.ts'

/** The constraints of an example text. */
export interface TextExampleRules {
  readonly format?: StringFormat | undefined
  readonly pattern?: RegExp | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
}

const WORDS = 'amber birch cobalt dune ember fjord grove harbor indigo juniper kelp lagoon'.split(' ')
const NOUNS = ['Winter', 'Letters', 'Maps', 'Engines', 'Rivers', 'Clocks', 'Gardens', 'Stars']
const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Émile', 'Zoë', 'Ngũgĩ', 'Øystein', 'Mei']
const LAST_NAMES = ['Lovelace', 'Hopper', 'Turing', 'Okafor', 'Lindqvist', "O'Hara", 'Tanaka']

const pickFrom =
  (...all: readonly string[]) =>
  (seed: ExampleSeed): string =>
    seed.pick(all)

const createPersonName = (seed: ExampleSeed): string =>
  `${seed.at('first').pick(FIRST_NAMES)} ${seed.at('last').pick(LAST_NAMES)}`
const createTitle = (seed: ExampleSeed): string => {
  const name = seed.at('word').pick(WORDS)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${seed.at('thing').pick(NOUNS)}`
}
const createSlug = (seed: ExampleSeed): string =>
  `${seed.at('word').pick(WORDS)}-${seed.at('number').numberBelow(1000)}`
const createSentence = (seed: ExampleSeed): string =>
  `${createTitle(seed)} and ${seed.at('other').pick(WORDS)}, as ${seed.at('first').pick(FIRST_NAMES)} says.`
const createEmail = (seed: ExampleSeed): string => `${createSlug(seed)}@example.com`
const createUrl = (seed: ExampleSeed): string => `https://example.com/${createSlug(seed)}`

function createUuid(seed: ExampleSeed): string {
  const digits = [0, 1, 2, 3].map((part) =>
    seed.at(`u${part}`).numberBelow(0x1_0000_0000).toString(16).padStart(8, '0'),
  )
  const [a, b, c, d] = digits as [string, string, string, string]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const MAKERS_BY_FORMAT = { uuid: createUuid, email: createEmail, uri: createUrl } as const

type TextMaker = (seed: ExampleSeed) => string

const MAKERS_BY_NAME: ReadonlyMap<string, TextMaker> = new Map<string, TextMaker>([
  ['name', createPersonName],
  ['title', createTitle],
  ['subtitle', createTitle],
  ['email', createEmail],
  ['url', createUrl],
  ['uri', createUrl],
  ['href', createUrl],
  ['link', createUrl],
  ['website', createUrl],
  ['slug', createSlug],
  ['city', pickFrom('London', 'Oslo', 'Łódź', '東京', 'Nairobi', 'Ærøskøbing')],
  ['country', pickFrom('GB', 'NO', 'PL', 'JP', 'KE', 'DK')],
  ['language', pickFrom('en', 'nb', 'pl', 'ja', 'sw')],
  ['locale', pickFrom('en-GB', 'nb-NO', 'pl-PL', 'ja-JP')],
  ['currency', pickFrom('GBP', 'NOK', 'EUR', 'JPY')],
  ['phone', (seed) => `+44 20 7946 0${100 + seed.numberBelow(900)}`],
  ['description', createSentence],
  ['summary', createSentence],
  ['body', createSentence],
  ['content', createSentence],
  ['text', createSentence],
  ['bio', createSentence],
])

const createNumberedWord: TextMaker = (seed) =>
  `${seed.at('word').pick(WORDS)} ${1 + seed.at('number').numberBelow(40)}`

/** Creates an example text for the location of the seed. */
export function makeTextExample(seed: ExampleSeed, rules: TextExampleRules): string {
  const { pattern, format, min = 0, max = Number.POSITIVE_INFINITY } = rules
  if (format !== undefined) return MAKERS_BY_FORMAT[format](seed)
  // The last word of `author_name` and `authorName` determines the content.
  const last = seed.name.match(/[A-Za-z][a-z]*$/)?.[0].toLowerCase() ?? ''
  const text = fitLength((MAKERS_BY_NAME.get(last) ?? createNumberedWord)(seed), min, max)
  if (pattern === undefined) return text
  // Prefers a meaningful string to one that only matches the pattern.
  const matcher = getPatternMatcher(pattern)
  const found = [text, fitLength(createSlug(seed), min, max)].find((one) => matcher.test(one))
  return found ?? makePatternExample(pattern, seed, min, max) ?? ''
}

function fitLength(text: string, min: number, max: number): string {
  if (text.length < min) return text.padEnd(min, ` ${text}`)
  return text.length > max ? Array.from(text).slice(0, max).join('') : text
}
