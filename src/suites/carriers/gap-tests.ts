// Tests of gaps: whoever asks for events behind a position gets them all, or learns that some are missing.
import type { Carrier } from '../../plugins/channels/index.ts'
import { assertEqual, pause, waitUntil } from '../assertions.ts'
import type { CarrierHarness } from './harness.ts'
import { appendTexts, type CarrierTests, KEEP_ALL, numberTexts, readFrom, withCarrier } from './test-helpers.ts'

// Positions come from clients.
const UNKNOWN_POSITIONS = [
  '',
  ' ',
  '-',
  '0',
  '1',
  'x',
  '0-0',
  '1-',
  '-1',
  '1-1',
  '1-1-1',
  '-1-1',
  '1.5-1',
  '1e3-1',
  '99999999999999999999-1',
  '999999999999999-999999999999999',
  'NaN-NaN',
  '$',
  '+',
  '*',
  "'; drop table x; --",
  '\u0000',
  '\ud800',
  '\u0663-\u0663',
  'x'.repeat(10_000),
]

/** Creates the tests of gaps. */
export const createGapTests = (harness: CarrierHarness): CarrierTests => ({
  ...createUnknownTests(harness),
  ...createBoundTests(harness),
})

async function assertGap(carrier: Carrier, channel: string, position: string, texts: readonly string[]): Promise<void> {
  const { from, events } = await carrier.read(channel, position, 100)
  const what = `behind ${JSON.stringify(position.slice(0, 50))}`
  assertEqual(`a gap ${what}`, from !== position, true)
  const found = events.map(({ text }) => text)
  assertEqual(`events ${what}`, found, texts)
  const again = await carrier.read(channel, from, 100)
  assertEqual('from where the events begin', again, { from, events })
}

const createUnknownTests = (harness: CarrierHarness): CarrierTests => ({
  'a position that a channel never had is a gap, before all that is kept': () =>
    withCarrier(harness, async (carrier, channel) => {
      for (const position of UNKNOWN_POSITIONS) await assertGap(carrier, channel, position, [])
      await appendTexts(carrier, channel, numberTexts(1, 3))
      for (const position of UNKNOWN_POSITIONS) await assertGap(carrier, channel, position, numberTexts(1, 3))
    }),

  'a position beyond the last is a gap, also when events come later': () =>
    withCarrier(harness, async (carrier, channel) => {
      await appendTexts(carrier, channel, numberTexts(1, 3))
      const last = await carrier.last(channel)
      // Positions that end with a number grow with it.
      const beyond = last.replace(/\d+$/, (digits) => String(Number(digits) + 100))
      await assertGap(carrier, channel, `${beyond}0`, numberTexts(1, 3))
      await appendTexts(carrier, channel, ['4'])
      await assertGap(carrier, channel, `${beyond}0`, numberTexts(1, 4))
    }),

  'events after a gap at the end of a channel are read without another': () =>
    withCarrier(harness, async (carrier, channel) => {
      const { from } = await carrier.read(channel, 'unknown', 10)
      await appendTexts(carrier, channel, ['1'])
      const { texts, gaps } = await readFrom(carrier, channel, from)
      assertEqual('texts', [texts, gaps], [['1'], []])
    }),
})

const createBoundTests = (harness: CarrierHarness): CarrierTests => ({
  'a channel keeps as many events as it is to: before them is a gap, behind them none': () =>
    withCarrier(harness, async (carrier, channel) => {
      const positions = [await carrier.last(channel)]
      for (const text of numberTexts(1, 20)) {
        await appendTexts(carrier, channel, [text], { ...KEEP_ALL, count: 5 })
        positions.push(await carrier.last(channel))
      }
      for (const [i, position] of positions.entries()) {
        if (i < 15) await assertGap(carrier, channel, position, numberTexts(16, 20))
        else assertEqual('no gap', (await carrier.read(channel, position, 100)).from, position)
      }
      await appendTexts(carrier, channel, numberTexts(21, 40), { ...KEEP_ALL, count: 5 })
      await assertGap(carrier, channel, positions.at(-1) as string, numberTexts(36, 40))
    }),

  'events that are too old go: before them is a gap': () =>
    withCarrier(harness, async (carrier, channel) => {
      const start = await carrier.last(channel)
      await appendTexts(carrier, channel, ['old'])
      await waitUntil(async () => {
        await pause(20)
        await appendTexts(carrier, channel, ['new'], { ...KEEP_ALL, age: 100 })
        const { from, events } = await carrier.read(channel, start, 1000)
        const isThere = events[0]?.text === 'old'
        assertEqual('a gap where the old one is missing', from === start, isThere)
        return !isThere
      })
      const last = await carrier.last(channel)
      assertEqual('the end', await carrier.read(channel, last, 10), { from: last, events: [] })
    }),
})
