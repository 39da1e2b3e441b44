// Tests of waits: they end when an event comes, when they are aborted, and not without a reason again and again.
import { assertEqual, pause } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import { appendTexts, type CarrierTests, Reader, withCarrier, withThreeCarriers } from './test-helpers.ts'

/** More than a process needs to end a wait that it aborts itself, and less than a wait may take. */
const AT_ONCE = 2000

/** Creates the tests of waits. */
export const createWaitTests = (harness: CarrierHarness): CarrierTests => ({
  ...createWakeTests(harness),
  ...createEndTests(harness),
})

const createWakeTests = (harness: CarrierHarness): CarrierTests => ({
  'a wait ends when another process appends': () =>
    withThreeCarriers(harness, async ([one, two, three], channel) => {
      const start = await one.last(channel)
      const { signal } = new AbortController()
      const waits = [one, two, three].map((carrier) => carrier.wait(channel, start, signal))
      await Promise.all([appendTexts(three, channel, ['1']), ...waits])
      await Promise.all([one, two].map((carrier) => new Reader(carrier, channel, start).readUntil(1)))
    }),

  'a wait for an event that is there ends': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, ['1'])
      const { signal } = new AbortController()
      for (let i = 0; i < 3; i++) await carrier.wait(channel, start, signal)
    }),

  'no event is slept through: a hundred times an answer follows a question': () =>
    withThreeCarriers(harness, async ([one, two], channel) => {
      const start = await one.last(channel)
      const [asking, answering] = [new Reader(one, channel, start), new Reader(two, channel, start)]
      const answer = async (): Promise<void> => {
        for (let i = 0; i < 100; i++) {
          await answering.readUntil(2 * i + 1)
          await appendTexts(two, channel, [`answer ${i}`])
        }
      }
      const ask = async (): Promise<void> => {
        for (let i = 0; i < 100; i++) {
          await appendTexts(one, channel, [`question ${i}`])
          await asking.readUntil(2 * i + 2)
        }
      }
      await Promise.all([answer(), ask()])
      assertEqual('the last', asking.texts.slice(-2), ['question 99', 'answer 99'])
    }),
})

const createEndTests = (harness: CarrierHarness): CarrierTests => ({
  'a wait ends at once when it is aborted, before and during it': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      const during = new AbortController()
      const both = [carrier.wait(channel, start, AbortSignal.abort()), carrier.wait(channel, start, during.signal)]
      setTimeout(() => during.abort(), 50)
      const ended = Promise.all(both).then(() => 'ended')
      assertEqual('waits', await Promise.race([ended, pause(AT_ONCE).then(() => 'still waiting')]), 'ended')
    }),

  'a wait for nothing does not end all the time': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      const stopping = new AbortController()
      const timer = setTimeout(() => stopping.abort(), 500)
      let ends = 0
      for (const end = Date.now() + 500; Date.now() < end && ends < 200; ends++)
        await carrier.wait(channel, start, stopping.signal)
      clearTimeout(timer)
      assertEqual('at most 200 ends in half a second', ends < 200, true)
    }),
})
