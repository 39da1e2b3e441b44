// Tests of keys: an event with a key is appended once.
import { assertEqual } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import {
  type CarrierTests,
  createChannel,
  KEEP_ALL,
  numberTexts,
  readFrom,
  withCarrier,
  withThreeCarriers,
} from './test-helpers.ts'

const LONG = 'x'.repeat(3000)
const KEYS = ['', ' ', 'a', 'A', 'a ', 'é', 'e\u0301', '{}', 'a:b', "'", '%', '\u{1f600}', `${LONG}a`, `${LONG}b`]

/** Creates the tests of keys. */
export const createKeyTests = (harness: CarrierHarness): CarrierTests => ({
  'an event with a key is appended once by three processes that all append it': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      const texts = numberTexts(1, 20)
      await Promise.all(
        carriers.flatMap((carrier) => texts.map((text) => carrier.append(channel, [{ text, key: text }], KEEP_ALL))),
      )
      const found = await readFrom(carriers[1], channel, start)
      assertEqual('texts', found.texts.sort(), [...texts].sort())
    }),

  'an event whose key is known is left out, and the others of its append are not': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      const append = (...events: { text: string; key?: string }[]) => carrier.append(channel, events, KEEP_ALL)
      await append({ text: 'a', key: '1' }, { text: 'b' }, { text: 'c', key: '1' }, { text: 'd', key: '2' })
      const position = await carrier.last(channel)
      await append({ text: 'e', key: '2' }, { text: 'f', key: '1' })
      assertEqual('where nothing was appended', await carrier.last(channel), position)
      await append({ text: 'g', key: '2' }, { text: 'h' }, { text: 'h' })
      const { texts, gaps } = await readFrom(carrier, channel, start)
      assertEqual('texts', [texts, gaps], [['a', 'b', 'd', 'h', 'h'], []])
    }),

  'keys are any texts, and belong to their channel': () =>
    withCarrier(harness, async (carrier, channel) => {
      for (const name of [channel, createChannel()]) {
        const start = await carrier.last(name)
        for (const key of [...KEYS, ...KEYS]) await carrier.append(name, [{ text: key, key }], KEEP_ALL)
        assertEqual('one for each key', (await readFrom(carrier, name, start)).texts, KEYS)
      }
    }),
})
