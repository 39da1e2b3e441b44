// Tests of names and texts: a channel has its own events, and each text is read as it was appended.
import { assertEqual } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import { appendTexts, type CarrierTests, createChannel, readFrom, withCarrier } from './test-helpers.ts'

const LONG = 'x'.repeat(3000)
const NAMES = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  ' a',
  'é',
  'e\u0301',
  '\u{1f600}',
  '{a}',
  '{}',
  '}',
  '%7d',
  'a:meta',
  'a:key:b',
  'a*',
  '*',
  "'; drop table x; --",
  '\n',
  `${LONG}a`,
  `${LONG}b`,
]

/** Returns a text with the characters of a range, without surrogates. */
const spell = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .join('')

const TEXTS = [
  '',
  ' ',
  '0',
  'null',
  '{"a":"\\u0000"}',
  "'",
  '\\',
  '$1',
  '\r\n',
  '\n\n',
  spell(1, 0xffff),
  spell(0x1f600, 0x1f6ff),
]

/** Creates the tests of names and texts. */
export const createNameTests = (harness: CarrierHarness): CarrierTests => ({
  'channels of any names have their own events and positions': () =>
    withCarrier(harness, async (carrier, channel) => {
      const names = NAMES.map((name) => `${name}${channel}${name}`)
      const starts = await Promise.all(names.map((name) => carrier.last(name)))
      for (const name of names) await appendTexts(carrier, name, [name, `${name}!`])
      for (const [i, name] of names.entries()) {
        const { texts, gaps } = await readFrom(carrier, name, starts[i] as string)
        assertEqual('events', [texts, gaps], [[name, `${name}!`], []])
      }
    }),

  'texts of all characters, empty ones and long ones are read as they were appended': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, TEXTS)
      assertEqual('texts', (await readFrom(carrier, channel, start)).texts, TEXTS)
      const other = createChannel()
      const begin = await carrier.last(other)
      const long = ['é'.repeat(500_000), 'x'.repeat(1_000_000)]
      await appendTexts(carrier, other, long)
      const { texts } = await readFrom(carrier, other, begin)
      const lengths = texts.map((text) => text.length)
      assertEqual('lengths', lengths, [500_000, 1_000_000])
      assertEqual(
        'the same',
        texts.every((text, i) => text === long[i]),
        true,
      )
    }),
})
