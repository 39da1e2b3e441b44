// The carrier suite itself: each fault of a carrier fails one of its tests, and each of its tests fails for some fault.
import { setMaxListeners } from 'node:events'
import { type Carrier, memoryCarrier } from 'edict/channels'
import { carrierSuite } from 'edict/channels/suite'
import { expect, test } from 'vitest'

type Fault = (right: Carrier) => Partial<Carrier>

const pause = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const ofChannels = (right: Carrier, change: (channel: string) => string): Partial<Carrier> => ({
  append: (channel, events, bounds) => right.append(change(channel), events, bounds),
  read: (channel, after, limit) => right.read(change(channel), after, limit),
  last: (channel) => right.last(change(channel)),
  wait: (channel, after, signal) => right.wait(change(channel), after, signal),
})

const ofTexts = (right: Carrier, change: (text: string) => string): Partial<Carrier> => ({
  append: (channel, events, bounds) =>
    right.append(
      channel,
      events.map((event) => ({ ...event, text: change(event.text) })),
      bounds,
    ),
})

const ofKeys = (right: Carrier, change: (key: string) => string | undefined): Partial<Carrier> => ({
  append: (channel, events, bounds) =>
    right.append(
      channel,
      events.map(({ text, key: given }) => {
        const key = given === undefined ? undefined : change(given)
        return { text, ...(key !== undefined && { key }) }
      }),
      bounds,
    ),
})

const ofPositions = (right: Carrier, change: (position: string) => string, back: (position: string) => string) =>
  ({
    async read(channel, after, limit) {
      const { from, events } = await right.read(channel, back(after), limit)
      return {
        from: from === back(after) ? after : change(from),
        events: events.map(({ position, text }) => ({ position: change(position), text })),
      }
    },
    last: async (channel) => change(await right.last(channel)),
    wait: (channel, after, signal) => right.wait(channel, back(after), signal),
  }) satisfies Partial<Carrier>

/** Carriers that are wrong in one way each, made of one that is right. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'gaps are silent': (right) => ({
    read: async (channel, after, limit) => ({ ...(await right.read(channel, after, limit)), from: after }),
  }),
  'every read has a gap': (right) => ({
    async read(channel, after, limit) {
      const batch = await right.read(channel, after, limit)
      return { ...batch, from: `${batch.from}0` }
    },
  }),
  'an unknown position is the end': (right) => ({
    async read(channel, after, limit) {
      const batch = await right.read(channel, after, limit)
      return batch.from === after ? batch : right.read(channel, await right.last(channel), limit)
    },
  }),
  'a position beyond the last is waited for': (right) => ({
    async read(channel, after, limit) {
      const last = await right.last(channel)
      const [generation, number] = after.split('-')
      const isBeyond = generation === last.split('-')[0] && Number(number) > Number(last.split('-')[1])
      return isBeyond ? { from: after, events: [] } : right.read(channel, after, limit)
    },
  }),
  'the limit is not kept': (right) => ({ read: (channel, after) => right.read(channel, after, 1000) }),
  'the events are in reverse': (right) => ({
    append: (channel, events, bounds) => right.append(channel, [...events].reverse(), bounds),
  }),
  'the last event is read again': (right) => ({
    async read(channel, after, limit) {
      const before = after.replace(/\d+$/, (digits) => String(Math.max(0, Number(digits) - 1)))
      const batch = await right.read(channel, before, limit)
      return batch.from === before ? { ...batch, from: after } : right.read(channel, after, limit)
    },
  }),
  'events are appended one by one': (right) => ({
    async append(channel, events, bounds) {
      for (const event of events) {
        await right.append(channel, [event], bounds)
        await pause()
      }
    },
  }),
  'an append resolves before its events are kept': (right) => ({
    append: async (channel, events, bounds) => void pause(5).then(() => right.append(channel, events, bounds)),
  }),
  'a later event is seen before an earlier one': (right) => {
    let isSlow = false
    return {
      async append(channel, events, bounds) {
        isSlow = !isSlow
        await right.append(channel, events, bounds)
        hidden.set(channel, isSlow ? await right.last(channel) : '')
        await pause()
        hidden.delete(channel)
      },
      async read(channel, after, limit) {
        const batch = await right.read(channel, after, limit)
        return { ...batch, events: batch.events.filter(({ position }) => position !== hidden.get(channel)) }
      },
    }
  },
  'keys are ignored': (right) => ofKeys(right, () => undefined),
  'keys are folded': (right) => ofKeys(right, (key) => key.toLowerCase()),
  'keys are normalised': (right) => ofKeys(right, (key) => key.normalize()),
  'keys are cut': (right) => ofKeys(right, (key) => key.slice(0, 1000)),
  'keys are those of all channels': (right) => {
    const known = new Set<string>()
    return {
      append: (channel, events, bounds) =>
        right.append(
          channel,
          events.filter(({ key }) => key === undefined || (!known.has(key) && known.add(key))),
          bounds,
        ),
    }
  },
  'a known key leaves out the whole append': (right) => {
    const known = new Set<string>()
    return {
      async append(channel, events, bounds) {
        const keys = events.flatMap(({ key }) => (key === undefined ? [] : [`${channel} ${key}`]))
        if (keys.some((key) => known.has(key))) return
        for (const key of keys) known.add(key)
        await right.append(channel, events, bounds)
      },
    }
  },
  'a key is looked for before a pause': (right) => {
    const known = new Set<string>()
    return {
      async append(channel, events, bounds) {
        const fresh = events.filter(({ key }) => key === undefined || !known.has(`${channel} ${key}`))
        await pause()
        for (const { key } of fresh) known.add(`${channel} ${key}`)
        await right.append(
          channel,
          fresh.map(({ text }) => ({ text })),
          bounds,
        )
      },
    }
  },
  'a known key takes a position': (right) => {
    const known = new Map<string, number>()
    return {
      async append(channel, events, bounds) {
        await right.append(channel, events, bounds)
        known.set(channel, (known.get(channel) ?? 0) + events.length)
      },
      last: async (channel) => (await right.last(channel)).replace(/\d+$/, () => String(known.get(channel) ?? 0)),
    }
  },
  'too many are kept': (right) => ({
    append: (channel, events, { count, age }) => right.append(channel, events, { count: count + 1, age }),
  }),
  'nothing is too old': (right) => ({
    append: (channel, events, { count }) => right.append(channel, events, { count, age: 1e9 }),
  }),
  'names are folded': (right) => ofChannels(right, (channel) => channel.toLowerCase()),
  'names are cut': (right) => ofChannels(right, (channel) => channel.slice(0, 1000)),
  'names are trimmed': (right) => ofChannels(right, (channel) => channel.trim()),
  'names are normalised': (right) => ofChannels(right, (channel) => channel.normalize()),
  'texts are cut': (right) => ofTexts(right, (text) => text.slice(0, 900_000)),
  'texts lose their breaks': (right) => ofTexts(right, (text) => text.replaceAll('\r\n', '\n')),
  'empty texts are left out': (right) => ({
    append: (channel, events, bounds) =>
      right.append(
        channel,
        events.filter(({ text }) => text !== ''),
        bounds,
      ),
  }),
  'positions have spaces': (right) =>
    ofPositions(
      right,
      (position) => position.replace('-', ' '),
      (position) => position.replace(' ', '-'),
    ),
  'a wait never ends': () => ({ wait: () => new Promise(() => {}) }),
  'a wait ends for an event that comes later only': (right) => ({
    wait: async (channel, _, signal) => right.wait(channel, await right.last(channel), signal),
  }),
  'a wait begins after a pause': (right) => ({
    async wait(channel, _, signal) {
      await pause(3)
      await right.wait(channel, await right.last(channel), signal)
    },
  }),
  'a wait ends at once': () => ({ wait: () => pause() }),
  'a wait does not end when it is aborted': (right) => ({
    wait: (channel, after) => right.wait(channel, after, new AbortController().signal),
  }),
}

const hidden = new Map<string, string>()

/** Which tests of the suite fail for a carrier; one that does not end has failed. */
async function listFailures(fault: Fault, patience: number): Promise<{ all: string[]; failed: string[] }> {
  const right = memoryCarrier()
  const wrong = fault(right)
  const tests = new Map<string, () => Promise<void>>()
  let stopping = new AbortController()
  const call = <N extends keyof Carrier>(name: N): Carrier[N] =>
    ((...given: readonly never[]) => {
      // Ends tests that wait for what never comes.
      if (stopping.signal.aborted) throw new Error('The test is over')
      const over = new Promise((_, reject) => {
        stopping.signal.addEventListener('abort', () => reject(new Error('The test is over')))
      })
      const work = ((wrong[name] ?? right[name]) as (...args: readonly never[]) => Promise<unknown>)(...given)
      return Promise.race([work, over])
    }) as Carrier[N]
  const carrier: Carrier = { append: call('append'), read: call('read'), last: call('last'), wait: call('wait') }
  carrierSuite({
    test: (name, run) => void tests.set(name, run),
    open: async () => ({ carrier, close: async () => {} }),
  })
  const failed: string[] = []
  for (const [name, run] of tests) {
    stopping = new AbortController()
    setMaxListeners(0, stopping.signal)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patience)
    })
    const running = run().then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([running, late]))) failed.push(name)
    clearTimeout(timer)
    stopping.abort()
    await running
  }
  return { all: [...tests.keys()], failed }
}

test('[EVT-05] each fault of a carrier fails a test, and each test fails for a fault', {
  timeout: 300_000,
}, async () => {
  const { all, failed } = await listFailures(() => ({}), 20_000)
  expect([failed, all.length]).toEqual([[], 22])
  // All at the same time: most of it is waiting.
  const found = await Promise.all(
    Object.entries(FAULTS).map(async ([name, fault]) => ({ name, ...(await listFailures(fault, 4000)) })),
  )
  expect(found.filter((one) => one.failed.length === 0).map(({ name }) => name)).toEqual([])
  expect([...new Set(found.flatMap((one) => one.failed))].sort()).toEqual([...all].sort())
})
