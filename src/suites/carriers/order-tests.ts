// Tests of the order of events: one for all readers, however many processes append.
import { assertEqual, pause } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import {
  appendTexts,
  type CarrierTests,
  numberTexts,
  type Reader,
  readFrom,
  withCarrier,
  withThreeCarriers,
} from './test-helpers.ts'

/** Creates the tests of the order. */
export const createOrderTests = (harness: CarrierHarness): CarrierTests => ({
  ...createReadTests(harness),
  ...createConcurrentTests(harness),
})

const createReadTests = (harness: CarrierHarness): CarrierTests => ({
  'events are read in their order, behind the position of each': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      assertEqual('nothing yet', await carrier.read(channel, start, 10), { from: start, events: [] })
      for (const text of numberTexts(1, 7)) await appendTexts(carrier, channel, [text])
      await appendTexts(carrier, channel, numberTexts(8, 10))
      const { texts, positions, gaps } = await readFrom(carrier, channel, start)
      assertEqual('texts', [texts, gaps], [numberTexts(1, 10), []])
      assertEqual('the last position', await carrier.last(channel), positions.at(-1))
      for (const [i, position] of positions.entries()) {
        const behind = await carrier.read(channel, position, 100)
        assertEqual('without a gap', behind.from, position)
        const rest = behind.events.map(({ text }) => text)
        assertEqual('behind a position', rest, texts.slice(i + 1))
      }
    }),

  'pieces of any length are the same events, each at its position': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, numberTexts(1, 10))
      const whole = await readFrom(carrier, channel, start)
      assertEqual('all', whole.texts, numberTexts(1, 10))
      for (const limit of [1, 3, 10]) {
        const { texts, positions, gaps } = await readFrom(carrier, channel, start, limit)
        assertEqual(`pieces of ${limit}`, [texts, positions, gaps], [whole.texts, whole.positions, []])
      }
    }),

  'positions are all different, and texts that fit into a header': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, numberTexts(1, 200))
      const { positions } = await readFrom(carrier, channel, start)
      assertEqual('different ones', new Set([start, ...positions]).size, 201)
      const unfit = [start, ...positions].filter((position) => !/^[!-~]{1,100}$/.test(position))
      assertEqual('not printable, with spaces, or longer than 100 characters', unfit, [])
    }),
})

const createConcurrentTests = (harness: CarrierHarness): CarrierTests => ({
  'of three processes that append, each keeps its order, and all read the same': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      await Promise.all(
        carriers.map(async (carrier, process) => {
          for (let i = 0; i < 40; i += 2)
            await appendTexts(carrier, channel, [`${process} ${i}`, `${process} ${i + 1}`])
        }),
      )
      const [one, ...others] = await Promise.all(carriers.map((carrier) => readFrom(carrier, channel, start, 7)))
      const { texts, positions, gaps } = one as Reader
      assertEqual('the number of events', [texts.length, gaps], [120, []])
      for (const other of others) assertEqual('another reader', [other.texts, other.positions], [texts, positions])
      for (const process of ['0', '1', '2']) {
        const own = texts.filter((text) => text.startsWith(process)).map((text) => Number(text.slice(2)))
        assertEqual(
          `those of process ${process}`,
          own,
          numberTexts(0, 39).map((text) => Number(text)),
        )
      }
    }),

  'a reader sees the events of an append together, and none before those that come first': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      const rounds = 15
      const appending = carriers.map(async (carrier, process) => {
        for (let round = 0; round < rounds; round++)
          await appendTexts(
            carrier,
            channel,
            [1, 2, 3].map((part) => `${process} ${round} ${part}`),
          )
      })
      const seen: string[] = []
      const reading = (async () => {
        while (seen.length < 9 * rounds) {
          const texts = (await carriers[2].read(channel, start, 1000)).events.map(({ text }) => text)
          assertEqual('what was seen before', texts.slice(0, seen.length), seen)
          const heads = texts.filter((_, i) => i % 3 === 0).map((text) => text.slice(0, -1))
          assertEqual(
            'whole appends',
            texts,
            heads.flatMap((head) => [1, 2, 3].map((part) => head + part)),
          )
          seen.splice(0, seen.length, ...texts)
          await pause(1)
        }
      })()
      await Promise.all([...appending, reading])
    }),
})
