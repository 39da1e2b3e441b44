// The store suite itself: each fault of a store fails one of its tests, and each of its tests fails for some fault.
import { memoryStore, type Store } from 'edict/stores'
import { storeSuite } from 'edict/stores/suite'
import { expect, test } from 'vitest'

type Methods = Pick<Store, 'count' | 'get' | 'set' | 'delete'>

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Stores that are wrong in one way each, made of one that is right. */
const FAULTS: Readonly<Record<string, (right: Store) => Partial<Methods>>> = {
  'nothing is written': () => ({ set: () => true }),
  'nothing is deleted': () => ({ delete: () => true }),
  'nothing ends': (right) => ({
    set: (key, value, ttl, expected) => right.set(key, value, ttl * 1e6, expected),
    count: (key, ttl) => right.count(key, ttl * 1e6),
  }),
  'a later addition moves the end of a counter': (right) => ({
    count: async (key, ttl) => ({ ...(await right.count(key, ttl)), left: ttl }),
  }),
  'all keys are one counter': (right) => ({ count: (_, ttl) => right.count('', ttl) }),
  'counters and values meet': (right) => ({
    count: async (key, ttl) => {
      await right.set(key, 'counted', ttl)
      return right.count(key, ttl)
    },
  }),
  'keys are folded': (right) => ofKeys(right, (key) => key.toLowerCase()),
  'keys are cut': (right) => ofKeys(right, (key) => key.slice(0, 1000)),
  'keys are normalised': (right) => ofKeys(right, (key) => key.normalize()),
  'values are cut': (right) => ({
    set: (key, value, ttl, expected) => right.set(key, value.slice(0, 1e5), ttl, expected),
  }),
  'whatever is expected is written': (right) => ({ set: (key, value, ttl) => right.set(key, value, ttl) }),
  'whatever is expected is deleted': (right) => ({ delete: (key) => right.delete(key) }),
  'an addition is made in two steps': (right) => {
    const counts = new Map<string, number>()
    return {
      count: async (key, ttl) => {
        const before = counts.get(key) ?? 0
        await pause()
        counts.set(key, before + 1)
        return { ...(await right.count(key, ttl)), count: before + 1 }
      },
    }
  },
  'a claim is made in two steps': (right) => ({
    async set(key, value, ttl, expected) {
      if (expected !== null) return right.set(key, value, ttl, expected)
      if ((await right.get(key)) !== undefined) return false
      await pause()
      return right.set(key, value, ttl)
    },
  }),
  'a replacement is made in two steps': (right) => ({
    async set(key, value, ttl, expected) {
      if (typeof expected !== 'string') return right.set(key, value, ttl, expected)
      if ((await right.get(key)) !== expected) return false
      await pause()
      return right.set(key, value, ttl)
    },
  }),
}

const ofKeys = (right: Store, change: (key: string) => string): Methods => ({
  count: (key, ttl) => right.count(change(key), ttl),
  get: (key) => right.get(change(key)),
  set: (key, value, ttl, expected) => right.set(change(key), value, ttl, expected),
  delete: (key, expected) => right.delete(change(key), expected),
})

/** Which tests of the suite fail for a store; one that does not end has failed. */
async function listFailures(fault: (right: Store) => Partial<Methods>): Promise<{ all: string[]; failed: string[] }> {
  const right = memoryStore()
  const wrong = fault(right)
  const tests = new Map<string, () => Promise<void>>()
  let isOver = false
  const call = <N extends keyof Methods>(name: N): Methods[N] =>
    ((...given: readonly never[]) => {
      // Ends tests that wait for what never comes.
      if (isOver) throw new Error('The test is over')
      return ((wrong[name] ?? right[name].bind(right)) as (...args: readonly never[]) => unknown)(...given)
    }) as Methods[N]
  const store = { count: call('count'), get: call('get'), set: call('set'), delete: call('delete') }
  storeSuite({
    test: (name, run) => void tests.set(name, run),
    open: async () => ({ store, close: async () => {} }),
  })
  const failed: string[] = []
  for (const [name, run] of tests) {
    isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), 5000)
    })
    const running = run().then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([running, late]))) failed.push(name)
    clearTimeout(timer)
    isOver = true
    await running
  }
  return { all: [...tests.keys()], failed }
}

test('each fault fails a test, and each test fails for a fault', { timeout: 120_000 }, async () => {
  const { all, failed } = await listFailures(() => ({}))
  expect([failed, all.length]).toEqual([[], 10])
  const noticing = new Set<string>()
  for (const [name, fault] of Object.entries(FAULTS)) {
    const found = await listFailures(fault)
    expect(found.failed, name).not.toEqual([])
    for (const one of found.failed) noticing.add(one)
  }
  expect([...noticing].sort()).toEqual([...all].sort())
})
