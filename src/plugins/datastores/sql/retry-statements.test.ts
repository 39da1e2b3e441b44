import { describe, expect, it } from 'vitest'
import { findFailureEffect, runWithRetries } from './retry-statements.ts'

const createFailingWork = (code: string | number, times: number) => {
  let calls = 0
  const work = async (): Promise<number> => {
    if (++calls > times) return calls
    throw new Error('refused', {
      cause: Object.assign(new Error('no'), { [typeof code === 'number' ? 'errno' : 'code']: code }),
    })
  }
  return { work, calls: () => calls }
}

describe('[SCL-03] work that failed for a passing reason', () => {
  it.each(['40001', '40P01', '25006', '57P03', 1213, 1047, 1290, 'ECONNREFUSED'])(
    'is done again where the database has undone it: %s',
    async (code) => {
      for (const intent of ['read', 'write'] as const) {
        const { work, calls } = createFailingWork(code, 2)
        await expect(runWithRetries(intent, work)).resolves.toBe(3)
        expect(calls()).toBe(3)
      }
    },
  )

  it.each(['ECONNRESET', 'EPIPE', '57P01', '08006', '08P01', '40003', 'PROTOCOL_CONNECTION_LOST', 1927, 2013])(
    'is not written again where nobody knows: %s',
    async (code) => {
      const read = createFailingWork(code, 1)
      await expect(runWithRetries('read', read.work)).resolves.toBe(2)
      const write = createFailingWork(code, 1)
      await expect(runWithRetries('write', write.work)).rejects.toThrow('refused')
      expect(write.calls()).toBe(1)
    },
  )

  it.each(['57014', '55P03', '53300', '23505', '22P02', '42601', 1205, 1062, 1317, 1969, 'ETIMEDOUT'])(
    'is not done again where that would not help: %s',
    async (code) => {
      const { work, calls } = createFailingWork(code, 1)
      await expect(runWithRetries('read', work)).rejects.toThrow('refused')
      expect(calls()).toBe(1)
    },
  )

  it('is given up after four attempts', async () => {
    const { work, calls } = createFailingWork('40001', 9)
    await expect(runWithRetries('write', work)).rejects.toThrow('refused')
    expect(calls()).toBe(4)
  })

  it('can fail with anything', () => {
    for (const error of [null, undefined, 'text', 5, {}, new Error('Connection refused by hand')])
      expect(findFailureEffect(error)).toBeUndefined()
  })
})
