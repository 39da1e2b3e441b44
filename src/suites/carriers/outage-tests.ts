// Tests of a carrier whose server stalls or restarts: it fails in bounded time, and tells what may be lost.
import type { Carrier } from '../../plugins/channels/index.ts'
import { assertEqual, pause, waitUntil } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import {
  appendTexts,
  type CarrierTests,
  createChannel,
  numberTexts,
  Reader,
  readFrom,
  withCarrier,
  withThreeCarriers,
} from './test-helpers.ts'

/** Creates the tests of outages, as far as the harness can cause them. */
export const createOutageTests = (harness: CarrierHarness): CarrierTests => ({
  ...(harness.stall && createStallTests(harness)),
  ...(harness.restart && createRestartTests(harness)),
})

const isCarrierError = (error: unknown): boolean => Reflect.get(Object(error), '~carrierError') === true

async function describeOutcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return isCarrierError(error) ? 'CarrierError' : `another error: ${String(error)}`
  }
}

// A process may not know yet that its connection is lost: only another attempt shows it.
async function retryWhileDown<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isCarrierError(error)) throw error
      await pause(10)
    }
  }
}

const createStallTests = (harness: CarrierHarness): CarrierTests => ({
  'a server that does not respond is a CarrierError, and its channels go on when it does again': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, ['1'])
      const resume = await harness.stall?.()
      const stopping = new AbortController()
      const waits = [
        carrier.wait(channel, start, stopping.signal),
        carrier.wait(createChannel(), start, stopping.signal),
      ].map(describeOutcome)
      const calls = [
        appendTexts(carrier, createChannel(), ['x']),
        carrier.read(channel, start, 10),
        carrier.last(createChannel()),
      ]
      const outcomes = await Promise.all(calls.map(describeOutcome))
      stopping.abort()
      const waited = await Promise.all(waits)
      await resume?.()
      assertEqual('outcomes', outcomes, Array(3).fill('CarrierError'))
      assertEqual(
        'waits',
        waited.filter((one) => one !== 'answered' && one !== 'CarrierError'),
        [],
      )
      await waitUntil(async () => (await describeOutcome(carrier.last(channel))) === 'answered')
      const reader = new Reader(carrier, channel, start)
      await Promise.all([
        retryWhileDown(() => reader.readUntil(2)),
        retryWhileDown(() => appendTexts(carrier, channel, ['2'])),
      ])
      assertEqual('texts', reader.texts.slice(0, 2), ['1', '2'])
    }),
})

const createRestartTests = (harness: CarrierHarness): CarrierTests => ({
  'after a restart, each reader finds everything behind its position, or a gap': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      for (const [i, text] of numberTexts(1, 10).entries()) await appendTexts(carriers[(i % 3) as 0], channel, [text])
      const { positions } = await readFrom(carriers[0], channel, start)
      await harness.restart?.()
      await retryWhileDown(() =>
        carriers[0].append(channel, [{ text: 'after', key: 'after' }], { count: 100, age: 60_000 }),
      )
      for (const [i, position] of [start, ...positions].entries()) {
        const carrier = carriers[(i % 3) as 0]
        const { texts, gaps } = await retryWhileDown(() => readFrom(carrier, channel, position))
        assertEqual('the last', texts.at(-1), 'after')
        if (gaps.length === 0) assertEqual(`behind event ${i}`, texts, [...numberTexts(i + 1, 10), 'after'])
      }
    }),

  'readers that wait during a restart go on': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      const start = await carriers[0].last(channel)
      await appendTexts(carriers[0], channel, ['before'])
      const reading = carriers.map(async (carrier) => {
        const reader = new Reader(carrier, channel, start)
        while (reader.texts.at(-1) !== 'after') await retryWhileDown(() => reader.readUntil(reader.texts.length + 1))
      })
      const restart = async (): Promise<void> => {
        await harness.restart?.()
        await retryWhileDown(() => appendTexts(carriers[1], channel, ['after']))
      }
      await Promise.all([restart(), ...reading])
    }),

  'every call during a restart gets a reply or a CarrierError': () =>
    withThreeCarriers(harness, async (carriers, channel) => {
      let isOver = false
      const seen = new Set<string>()
      const call = (carrier: Carrier): readonly Promise<unknown>[] => [
        appendTexts(carrier, channel, ['x'], { count: 10, age: 60_000 }),
        carrier.read(channel, '', 10),
        carrier.last(channel),
      ]
      const running = carriers.map(async (carrier) => {
        while (!isOver) for (const outcome of await Promise.all(call(carrier).map(describeOutcome))) seen.add(outcome)
      })
      await harness.restart?.()
      for (const carrier of carriers) await retryWhileDown(() => carrier.last(channel))
      isOver = true
      await Promise.all(running)
      const odd = [...seen].filter((one) => one !== 'answered' && one !== 'CarrierError')
      assertEqual('outcomes', odd, [])
    }),
})
