// Helpers of the carrier suite: open and close carriers, append texts, and read on.
import type { Carrier, CarrierBounds } from '../../plugins/channels/index.ts'
import { pause } from '../assertions.ts'
import type { CarrierHarness, OpenedCarrier } from './harness.ts'

/** Tests by their names. */
export type CarrierTests = Readonly<Record<string, () => Promise<void>>>

/** Bounds that no test reaches. */
export const KEEP_ALL: CarrierBounds = { count: 100_000, age: 86_400_000 }

/** Creates the name of a channel that no other test uses. */
export const createChannel = (): string => `suite-${crypto.randomUUID()}`

/** Returns texts that are numbers, from the first to the last. */
export const numberTexts = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i))

/** Runs a test with a carrier and a new channel, and closes the carrier. */
export async function withCarrier(
  harness: CarrierHarness,
  run: (carrier: Carrier, channel: string) => Promise<void>,
): Promise<void> {
  await withCarriers([await harness.open()], ([carrier]) => run(carrier as Carrier, createChannel()))
}

/** Runs a test with the carrier in three processes, or opened three times if it lives in one. */
export async function withThreeCarriers(
  harness: CarrierHarness,
  run: (carriers: readonly [Carrier, Carrier, Carrier], channel: string) => Promise<void>,
): Promise<void> {
  const open = (): Promise<OpenedCarrier> => harness.elsewhere?.() ?? harness.open()
  await withCarriers(await Promise.all([open(), open(), open()]), (carriers) =>
    run(carriers as unknown as readonly [Carrier, Carrier, Carrier], createChannel()),
  )
}

async function withCarriers(
  opened: readonly OpenedCarrier[],
  run: (carriers: readonly Carrier[]) => Promise<void>,
): Promise<void> {
  try {
    await run(opened.map(({ carrier }) => carrier))
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}

/** Appends texts to a channel, all at once. */
export const appendTexts = (
  carrier: Carrier,
  channel: string,
  texts: readonly string[],
  bounds: CarrierBounds = KEEP_ALL,
): Promise<void> =>
  carrier.append(
    channel,
    texts.map((text) => ({ text })),
    bounds,
  )

/** More reads than any test needs. */
const MAX_READS = 1000

/** A reader that goes on from a position. */
export class Reader {
  readonly texts: string[] = []
  /** The position behind each text. */
  readonly positions: string[] = []
  /** The numbers of texts before which a gap was reported. */
  readonly gaps: number[] = []
  position: string
  readonly #carrier: Carrier
  readonly #channel: string

  constructor(carrier: Carrier, channel: string, position: string) {
    this.#carrier = carrier
    this.#channel = channel
    this.position = position
  }

  /** Reads once; returns the number of events. */
  async readOnce(limit = 100): Promise<number> {
    const { from, events } = await this.#carrier.read(this.#channel, this.position, limit)
    if (from !== this.position) this.gaps.push(this.texts.length)
    if (events.length > limit) throw new Error(`${events.length} events were read, and at most ${limit} asked for`)
    for (const { position, text } of events) {
      this.texts.push(text)
      this.positions.push(position)
    }
    this.position = events.at(-1)?.position ?? from
    return events.length
  }

  /** Reads to the end. */
  async readAll(limit = 100): Promise<this> {
    for (let reads = 0; reads < MAX_READS; reads++) {
      const before = this.position
      await this.readOnce(limit)
      if (this.position === before) return this
    }
    throw new Error(`The channel has no end, after ${MAX_READS} reads`)
  }

  /** Reads, and waits where nothing is left to read, until there are as many texts. */
  async readUntil(count: number): Promise<this> {
    const { signal } = new AbortController()
    while (this.texts.length < count) {
      const before = this.position
      const found = await this.readOnce()
      if (found === 0 && this.position === before) await this.#carrier.wait(this.#channel, before, signal)
      // A carrier in memory that is wrong would leave no time to the test runner.
      await pause(0)
    }
    return this
  }
}

/** Reads a channel from a position to its end. */
export const readFrom = (carrier: Carrier, channel: string, position: string, limit?: number): Promise<Reader> =>
  new Reader(carrier, channel, position).readAll(limit)
