import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WakeReports, type WakeSource, Wakes } from './wakes.ts'

/** A connection that notes what is asked of it. */
class Connection implements WakeSource {
  readonly calls: string[] = []
  readonly reports: WakeReports
  isDead = false

  constructor(reports: WakeReports) {
    this.reports = reports
  }

  async follow(channel: string): Promise<void> {
    this.calls.push(`follow ${channel}`)
    if (this.isDead) throw new Error('dead')
  }

  leave(channel: string): void {
    this.calls.push(`leave ${channel}`)
  }

  check(): Promise<unknown> {
    return this.isDead ? new Promise(() => {}) : Promise.resolve()
  }

  close(): void {
    this.calls.push('close')
  }
}

let connections: Connection[] = []
let startsDead = false
const last = '1-5'
const open = (reports: WakeReports): WakeSource => {
  const connection = new Connection(reports)
  connection.isDead = startsDead
  connections.push(connection)
  return connection
}

beforeEach(() => {
  vi.useFakeTimers()
  connections = []
  startsDead = false
})
afterEach(() => {
  vi.useRealTimers()
})

const createWakes = (): Wakes => new Wakes({ open, last: async () => last, poll: 200, timeout: 500 })

/** Waits, and tells when that has ended. */
function watch(wakes: Wakes, channel: string, after: string, signal = new AbortController().signal) {
  const state = { ended: false }
  wakes.wait(channel, after, signal).then(
    () => {
      state.ended = true
    },
    () => {},
  )
  return state
}

it('[EVT-05] a reader that is behind does not wait, and one at the end waits for its channel', async () => {
  const wakes = createWakes()
  const [behind, atEnd, other] = [watch(wakes, 'a', '1-4'), watch(wakes, 'a', '1-5'), watch(wakes, 'b', '1-5')]
  await vi.advanceTimersByTimeAsync(0)
  expect([behind.ended, atEnd.ended, other.ended]).toEqual([true, false, false])
  connections[0]?.reports.heard('a', '1-6')
  await vi.advanceTimersByTimeAsync(0)
  expect([atEnd.ended, other.ended]).toEqual([true, false])
  // A notification between a read and a wait is not lost.
  const late = watch(wakes, 'a', '1-5')
  await vi.advanceTimersByTimeAsync(0)
  expect(late.ended).toBe(true)
  expect(connections).toHaveLength(1)
})

it('[EVT-05] a connection that is dead without a sign is replaced', async () => {
  const wakes = createWakes()
  const first = watch(wakes, 'a', last)
  await vi.advanceTimersByTimeAsync(100)
  if (connections[0] !== undefined) connections[0].isDead = true
  await vi.advanceTimersByTimeAsync(5600)
  expect(first.ended).toBe(true)
  expect(connections[0]?.calls).toContain('close')
  const second = watch(wakes, 'a', last)
  await vi.advanceTimersByTimeAsync(0)
  expect([second.ended, connections.length]).toEqual([false, 2])
  connections[1]?.reports.lost()
  await vi.advanceTimersByTimeAsync(0)
  expect(second.ended).toBe(true)
})

it('[EVT-05] without a connection, readers look from time to time, and it is tried again later', async () => {
  startsDead = true
  const wakes = createWakes()
  for (const isFirst of [true, false, false]) {
    const wait = watch(wakes, 'a', last)
    await vi.advanceTimersByTimeAsync(190)
    expect(wait.ended, String(isFirst)).toBe(false)
    await vi.advanceTimersByTimeAsync(20)
    expect(wait.ended).toBe(true)
  }
  expect(connections).toHaveLength(1)
  startsDead = false
  await vi.advanceTimersByTimeAsync(2000)
  const wait = watch(wakes, 'a', last)
  await vi.advanceTimersByTimeAsync(300)
  expect([wait.ended, connections.length]).toEqual([false, 2])
})

it('[EVT-05] channels that nobody waits for are left, and with the last of them the connection', async () => {
  const wakes = createWakes()
  const [one, other] = [new AbortController(), new AbortController()]
  const wait = watch(wakes, 'a', last, one.signal)
  watch(wakes, 'b', last, other.signal)
  await vi.advanceTimersByTimeAsync(0)
  one.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(wait.ended).toBe(true)
  // The reader of the other channel goes on.
  for (let i = 0; i < 4; i++) {
    await vi.advanceTimersByTimeAsync(5001)
    watch(wakes, 'b', last, other.signal)
  }
  expect(connections[0]?.calls).toEqual(['follow a', 'follow b', 'leave a'])
  other.abort()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(connections[0]?.calls).toEqual(['follow a', 'follow b', 'leave a', 'leave b', 'close'])
  expect(connections).toHaveLength(1)
})
