// Tests of readers that go on from place to place while events are appended.
import { assertEqual, pause } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import {
  appendTexts,
  type CarrierTests,
  KEEP_ALL,
  numberTexts,
  Reader,
  readFrom,
  withThreeCarriers,
} from './test-helpers.ts'

const chooseUpTo = (most: number): number => 1 + Math.floor(Math.random() * most)

/** Creates the tests of walks. */
export const createWalkTests = (harness: CarrierHarness): CarrierTests => ({
  'readers that go on from any position lose nothing and get nothing twice': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      const total = 180
      const appending = carriers.map(async (carrier, process) => {
        for (let i = 0; i < total / 3; ) {
          const size = Math.min(chooseUpTo(4), total / 3 - i)
          await appendTexts(
            carrier,
            channel,
            numberTexts(i, i + size - 1).map((text) => `${process} ${text}`),
          )
          i += size
          await pause(chooseUpTo(4))
        }
      })
      const following = carriers.map((carrier) => new Reader(carrier, channel, start).readUntil(total))
      const looking = carriers.map(async (carrier) => {
        const reader = new Reader(carrier, channel, start)
        while (reader.texts.length < total) {
          await reader.readOnce(chooseUpTo(7))
          await pause(chooseUpTo(6))
        }
        return reader
      })
      const [readers] = await Promise.all([Promise.all([...following, ...looking]), Promise.all(appending)])
      const { texts, positions } = await readFrom(carriers[0], channel, start)
      assertEqual('each once', new Set(texts).size, total)
      for (const reader of readers)
        assertEqual('a reader', [reader.texts, reader.positions, reader.gaps], [texts, positions, []])
      for (let i = 0; i < 20; i++) {
        const place = chooseUpTo(total) - 1
        const rest = await readFrom(carriers[2], channel, positions[place] as string, chooseUpTo(50))
        assertEqual(`behind event ${place}`, [rest.texts, rest.gaps], [texts.slice(place + 1), []])
      }
    }),

  'a reader that is slower than its channel learns of every gap, and of no other': () =>
    withThreeCarriers(harness, async ([one, two], channel) => {
      const start = await one.last(channel)
      const total = 150
      const reader = new Reader(two, channel, start)
      const append = async (): Promise<void> => {
        for (const text of numberTexts(0, total - 1)) await appendTexts(one, channel, [text], { ...KEEP_ALL, count: 4 })
      }
      const read = async (): Promise<void> => {
        while (reader.texts.at(-1) !== String(total - 1)) {
          await reader.readOnce(chooseUpTo(3))
          await pause(chooseUpTo(5))
        }
      }
      await Promise.all([append(), read()])
      const numbers = reader.texts.map(Number)
      const skips = [...numbers.keys()].filter((i) => numbers[i] !== (numbers[i - 1] ?? -1) + 1)
      assertEqual('gaps', [...new Set(reader.gaps)], skips)
      assertEqual(
        'rising',
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
      )
    }),
})
