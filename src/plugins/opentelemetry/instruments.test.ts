// The instruments: what the semantic conventions ask of each, and what is recorded of a request.
import type { Attributes, Meter } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import type { IncomingRequest, RequestEnd } from '../../extend.ts'
import { Instruments } from './instruments.ts'

/** A meter that keeps how its instruments are made, and what they record. */
function createMeter() {
  const made: Record<string, unknown> = {}
  const recorded: [name: string, value: number, attributes: Attributes][] = []
  const create = (name: string, options: object) => {
    made[name] = options
    const record = (value: number, attributes: Attributes) => void recorded.push([name, value, attributes])
    return { record, add: record }
  }
  return { meter: { createHistogram: create, createUpDownCounter: create } as unknown as Meter, made, recorded }
}

it('are those of the semantic conventions, with their units and buckets', () => {
  const { meter, made } = createMeter()
  new Instruments(meter)
  expect(made).toEqual({
    'http.server.request.duration': {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: {
        explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      },
    },
    'http.server.active_requests': { description: 'Number of active HTTP server requests.', unit: '{request}' },
    'http.server.request.body.size': { description: 'Size of HTTP server request bodies.', unit: 'By' },
    'http.server.response.body.size': { description: 'Size of HTTP server response bodies.', unit: 'By' },
    'db.client.operation.duration': {
      description: 'Duration of database client operations.',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] },
    },
  })
})

it('record seconds and bytes, and take away what they added', () => {
  const { meter, recorded } = createMeter()
  const instruments = new Instruments(meter)
  const request = { knownMethod: 'GET', scheme: 'http', httpVersion: '1.1' } as IncomingRequest
  const end = instruments.beginRequest(request)
  end()
  instruments.endRequest(request, { duration: 1500, received: 3, sent: 7, status: 200 } as RequestEnd)
  instruments.recordStatement(250, { 'db.system.name': 'sqlite' })
  expect(recorded.map(([name, value]) => [name, value])).toEqual([
    ['http.server.active_requests', 1],
    ['http.server.active_requests', -1],
    ['http.server.request.duration', 1.5],
    ['http.server.request.body.size', 3],
    ['http.server.response.body.size', 7],
    ['db.client.operation.duration', 0.25],
  ])
  const [began, ended] = recorded
  expect(ended?.[2]).toEqual(began?.[2])
})
