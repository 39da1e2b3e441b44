// Buckets: a measurement counts in every bucket whose bound it does not exceed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import type { IncomingRequest, RequestEnd } from '../../extend.ts'
import { RequestMeter } from './request-meter.ts'

const BYTES = [128, 1024, 8192, 65_536, 524_288, 4_194_304]
const FAMILIES = {
  http_request_duration_seconds: 'duration',
  http_request_size_bytes: 'received',
  http_response_size_bytes: 'sent',
} as const

const request = { knownMethod: 'GET', route: '/' } as IncomingRequest

function readBuckets(meter: RequestMeter, name: string): [bound: string, count: number][] {
  const family = meter.collectFamilies().find((one) => one.name === name)
  return (family?.samples ?? [])
    .filter(({ suffix }) => suffix === '_bucket')
    .map(({ labels, value }) => [labels?.['le'] ?? '', value])
}

const listNeighbours = (bound: number): number[] => [bound - 1, bound, bound + 1]

it.each(Object.entries(FAMILIES))('%s counts at each bound and next to it', (name, field) => {
  const bounds = field === 'duration' ? [0.005, 0.5, 2] : BYTES
  const scale = field === 'duration' ? 1000 : 1
  const value = fc.oneof(
    fc.constantFrom(0, ...bounds.flatMap((bound) => listNeighbours(bound * scale))),
    fc.integer({ min: 0, max: 5_000_000 }),
  )
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), (values) => {
      const meter = new RequestMeter([0.005, 0.5, 2])
      for (const one of values)
        meter.countRequest(request, {
          status: 200,
          duration: 0,
          received: 0,
          sent: 0,
          [field]: one,
        } as unknown as RequestEnd)
      const expected = [...bounds, Number.POSITIVE_INFINITY].map((bound) => [
        bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound),
        values.filter((one) => one / scale <= bound).length,
      ])
      expect(readBuckets(meter, name)).toEqual(values.length === 0 ? [] : expected)
    }),
    { numRuns: runs(100, 3000) },
  )
})
