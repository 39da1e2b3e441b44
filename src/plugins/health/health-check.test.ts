// A check at the limits of its times: when a cached result expires, and when a hanging check is started again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CheckRunner } from './health-check.ts'

const changed: string[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  changed.length = 0
})
afterEach(() => void vi.useRealTimers())

const createRunner = (check: (signal: AbortSignal) => unknown, keep = 100, timeout = 50): CheckRunner =>
  new CheckRunner('one', check, { timeout, keep }, (name, { status }) => void changed.push(`${name} ${status}`))

describe('the result of a check', () => {
  it('is kept for its time, and asked for anew from then on', async () => {
    let count = 0
    const runner = createRunner(() => ++count)
    await runner.getResult()
    vi.advanceTimersByTime(99)
    await runner.getResult()
    expect(count).toBe(1)
    vi.advanceTimersByTime(1)
    await runner.getResult()
    expect(count).toBe(2)
  })

  it('is not kept at all with 0', async () => {
    let count = 0
    const runner = createRunner(() => ++count, 0)
    for (let i = 1; i < 4; i++) {
      await runner.getResult()
      expect(count).toBe(i)
    }
  })

  it.each([
    ['ok', () => true],
    ['ok', () => undefined],
    ['ok', async () => 0],
    ['failed', () => false],
    ['failed', async () => false],
    ['failed', () => Promise.reject(new Error('no'))],
    [
      'failed',
      () => {
        throw new Error('no')
      },
    ],
  ])('is %s, and told once where it changes', async (status, check) => {
    const runner = createRunner(check, 0)
    for (let i = 0; i < 3; i++) expect((await runner.getResult()).status).toBe(status)
    expect(changed).toEqual(status === 'ok' ? [] : ['one failed'])
  })

  it('recovers from a first failure, and says so', async () => {
    let isHealthy = false
    const runner = createRunner(() => isHealthy, 0)
    expect((await runner.getResult()).status).toBe('failed')
    isHealthy = true
    expect((await runner.getResult()).status).toBe('ok')
    expect(changed).toEqual(['one failed', 'one ok'])
  })
})

describe('a check that hangs', () => {
  it('fails at its timeout and not before, and its signal aborts then', async () => {
    let signal: AbortSignal | undefined
    const runner = createRunner((checkSignal) => {
      signal = checkSignal
      return new Promise(() => {})
    })
    let status: string | undefined
    void Promise.resolve(runner.getResult()).then((result) => {
      status = result.status
    })
    await vi.advanceTimersByTimeAsync(49)
    expect([status, signal?.aborted]).toEqual([undefined, false])
    await vi.advanceTimersByTimeAsync(1)
    expect([status, signal?.aborted]).toEqual(['timeout', true])
  })

  it('is begun again after ten of its times, and not before', async () => {
    let count = 0
    const runner = createRunner(() => {
      count++
      return new Promise(() => {})
    }, 0)
    void runner.getResult()
    await vi.advanceTimersByTimeAsync(50)
    vi.advanceTimersByTime(449)
    expect([(await runner.getResult()).status, count]).toEqual(['timeout', 1])
    vi.advanceTimersByTime(1)
    void runner.getResult()
    await vi.advanceTimersByTimeAsync(0)
    expect(count).toBe(2)
  })

  it('and comes back after it was begun again does not count as the end of the second', async () => {
    const ends: (() => void)[] = []
    const runner = createRunner(() => new Promise<void>((resolve) => ends.push(resolve)), 0)
    void runner.getResult()
    await vi.advanceTimersByTimeAsync(500)
    void runner.getResult()
    await vi.advanceTimersByTimeAsync(50)
    expect(ends).toHaveLength(2)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    // The second still hangs, and a third must not be begun beside it.
    expect((await runner.getResult()).status).toBe('timeout')
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await vi.advanceTimersByTimeAsync(0)
    void runner.getResult()
    expect(ends).toHaveLength(3)
  })
})
