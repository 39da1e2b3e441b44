// Creates strings that fit the name of their attribute.
import type { ExampleSeed } from '../schema/example.ts'
import type { StringOptions } from '../schema/scalars/string.ts'
import { getPatternMatcher } from '../schema/scalars/text-pattern.ts'
import { generateMatchingText } from './pattern-text.ts'

const WORDS = 'amber birch cobalt dune ember fjord grove harbor indigo juniper kelp lagoon'.split(' ')
const NOUNS = ['Winter', 'Letters', 'Maps', 'Engines', 'Rivers', 'Clocks', 'Gardens', 'Stars']
const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Émile', 'Zoë', 'Ngũgĩ', 'Øystein', 'Mei']
const LAST_NAMES = ['Lovelace', 'Hopper', 'Turing', 'Okafor', 'Lindqvist', "O'Hara", 'Tanaka']

const pickFrom =
  (...all: readonly string[]) =>
  (seed: ExampleSeed): string =>
    all[seed.numberBelow(all.length)] as string

const pickWord = pickFrom(...WORDS)
const pickFirstName = pickFrom(...FIRST_NAMES)
const createPersonName = (seed: ExampleSeed): string =>
  `${pickFirstName(seed.at('first'))} ${pickFrom(...LAST_NAMES)(seed.at('last'))}`
const createTitle = (seed: ExampleSeed): string => {
  const name = pickWord(seed.at('word'))
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${pickFrom(...NOUNS)(seed.at('thing'))}`
}
const createSlug = (seed: ExampleSeed): string => `${pickWord(seed.at('word'))}-${seed.at('number').numberBelow(1000)}`
const createSentence = (seed: ExampleSeed): string =>
  `${createTitle(seed)} and ${pickWord(seed.at('other'))}, as ${pickFirstName(seed.at('first'))} says.`
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

const createNumberedWord: TextMaker = (seed) => `${pickWord(seed.at('word'))} ${1 + seed.at('number').numberBelow(40)}`

/** Creates a string within the limits, pattern, values and format of its attribute. */
export function createText(options: StringOptions, seed: ExampleSeed): string {
  const { values, pattern, format, min = 0, max = Number.POSITIVE_INFINITY } = options
  if (values !== undefined && values.length > 0) return values[seed.numberBelow(values.length)] as string
  if (format !== undefined) return MAKERS_BY_FORMAT[format](seed)
  // The last word of `author_name` and `authorName` determines the content.
  const last = seed.name.match(/[A-Za-z][a-z]*$/)?.[0].toLowerCase() ?? ''
  const text = fitLength((MAKERS_BY_NAME.get(last) ?? createNumberedWord)(seed), min, max)
  if (pattern === undefined) return text
  // Prefers a meaningful string to one that only matches the pattern.
  const matcher = getPatternMatcher(pattern)
  const found = [text, fitLength(createSlug(seed), min, max)].find((one) => matcher.test(one))
  return found ?? generateMatchingText(pattern, seed, min, max) ?? ''
}

function fitLength(text: string, min: number, max: number): string {
  if (text.length < min) return text.padEnd(min, ` ${text}`)
  return text.length > max ? Array.from(text).slice(0, max).join('') : text
}
