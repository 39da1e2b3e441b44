// Texts that look like what the name of their attribute suggests.
import type { ExampleSeed } from '../schema/example.ts'
import { compilePattern } from '../schema/scalars/pattern.ts'
import type { StringOptions } from '../schema/scalars/string.ts'
import { textOfPattern } from './pattern-text.ts'

const WORDS = 'amber birch cobalt dune ember fjord grove harbor indigo juniper kelp lagoon'.split(' ')
const THINGS = ['Winter', 'Letters', 'Maps', 'Engines', 'Rivers', 'Clocks', 'Gardens', 'Stars']
const FIRST = ['Ada', 'Grace', 'Alan', 'Émile', 'Zoë', 'Ngũgĩ', 'Øystein', 'Mei']
const LAST = ['Lovelace', 'Hopper', 'Turing', 'Okafor', 'Lindqvist', "O'Hara", 'Tanaka']

const of =
  (...all: readonly string[]) =>
  (seed: ExampleSeed): string =>
    all[seed.pick(all.length)] as string

const word = of(...WORDS)
const first = of(...FIRST)
const person = (seed: ExampleSeed): string => `${first(seed.at('first'))} ${of(...LAST)(seed.at('last'))}`
const title = (seed: ExampleSeed): string => {
  const name = word(seed.at('word'))
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${of(...THINGS)(seed.at('thing'))}`
}
const slug = (seed: ExampleSeed): string => `${word(seed.at('word'))}-${seed.at('number').pick(1000)}`
const sentence = (seed: ExampleSeed): string =>
  `${title(seed)} and ${word(seed.at('other'))}, as ${first(seed.at('first'))} tells it.`
const email = (seed: ExampleSeed): string => `${slug(seed)}@example.com`
const address = (seed: ExampleSeed): string => `https://example.com/${slug(seed)}`

function uuid(seed: ExampleSeed): string {
  const digits = [0, 1, 2, 3].map((part) => seed.at(`u${part}`).pick(0x1_0000_0000).toString(16).padStart(8, '0'))
  const [a, b, c, d] = digits as [string, string, string, string]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const FORMATS = { uuid, email, uri: address } as const

type Writer = (seed: ExampleSeed) => string

const NAMED: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['name', person],
  ['title', title],
  ['subtitle', title],
  ['email', email],
  ['url', address],
  ['uri', address],
  ['href', address],
  ['link', address],
  ['website', address],
  ['slug', slug],
  ['city', of('London', 'Oslo', 'Łódź', '東京', 'Nairobi', 'Ærøskøbing')],
  ['country', of('GB', 'NO', 'PL', 'JP', 'KE', 'DK')],
  ['language', of('en', 'nb', 'pl', 'ja', 'sw')],
  ['locale', of('en-GB', 'nb-NO', 'pl-PL', 'ja-JP')],
  ['currency', of('GBP', 'NOK', 'EUR', 'JPY')],
  ['phone', (seed) => `+44 20 7946 0${100 + seed.pick(900)}`],
  ['description', sentence],
  ['summary', sentence],
  ['body', sentence],
  ['content', sentence],
  ['text', sentence],
  ['bio', sentence],
])

const plain: Writer = (seed) => `${word(seed.at('word'))} ${1 + seed.at('number').pick(40)}`

/** Makes a text within its attribute's limits, pattern, values and format. */
export function textFor(options: StringOptions, seed: ExampleSeed): string {
  const { values, pattern, format, min = 0, max = Number.POSITIVE_INFINITY } = options
  if (values !== undefined && values.length > 0) return values[seed.pick(values.length)] as string
  if (format !== undefined) return FORMATS[format](seed)
  // `author_name` and `authorName` end in the word that says what they hold.
  const last = seed.name.match(/[A-Za-z][a-z]*$/)?.[0].toLowerCase() ?? ''
  const text = fitted((NAMED.get(last) ?? plain)(seed), min, max)
  if (pattern === undefined) return text
  // A text that says something is better than one that only matches.
  const whole = compilePattern(pattern)
  const found = [text, fitted(slug(seed), min, max)].find((one) => whole.test(one))
  return found ?? textOfPattern(pattern, seed, min, max) ?? ''
}

function fitted(text: string, min: number, max: number): string {
  if (text.length < min) return text.padEnd(min, ` ${text}`)
  return text.length > max ? Array.from(text).slice(0, max).join('') : text
}
