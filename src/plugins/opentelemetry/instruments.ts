// The instruments of the semantic conventions for HTTP servers and database clients, with their recommended buckets.
import type { Attributes, Histogram, Meter, UpDownCounter } from '@opentelemetry/api'
import type { IncomingRequest, RequestEnd } from '../../extend.ts'
import { buildActiveAttributes, buildMetricAttributes } from './http-attributes.ts'

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const STATEMENT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** The instruments of an application. */
export class Instruments {
  readonly #duration: Histogram
  readonly #active: UpDownCounter
  readonly #received: Histogram
  readonly #sent: Histogram
  readonly #statements: Histogram

  constructor(meter: Meter) {
    this.#duration = meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
    })
    this.#active = meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests.',
      unit: '{request}',
    })
    const createSizeHistogram = (which: string): Histogram =>
      meter.createHistogram(`http.server.${which}.body.size`, {
        description: `Size of HTTP server ${which} bodies.`,
        unit: 'By',
      })
    this.#received = createSizeHistogram('request')
    this.#sent = createSizeHistogram('response')
    this.#statements = meter.createHistogram('db.client.operation.duration', {
      description: 'Duration of database client operations.',
      unit: 's',
      advice: { explicitBucketBoundaries: STATEMENT_BUCKETS },
    })
  }

  /** Counts a request in progress. Returns a function that ends it with the same attributes. */
  beginRequest(request: IncomingRequest): () => void {
    const attributes = buildActiveAttributes(request)
    this.#active.add(1, attributes)
    return () => this.#active.add(-1, attributes)
  }

  /** Records a request that has ended. */
  endRequest(request: IncomingRequest, ended: RequestEnd): void {
    const attributes = buildMetricAttributes(request, ended)
    this.#duration.record(ended.duration / 1000, attributes)
    this.#received.record(ended.received, attributes)
    this.#sent.record(ended.sent, attributes)
  }

  /** Records a statement that has ended. */
  recordStatement(milliseconds: number, attributes: Attributes): void {
    this.#statements.record(milliseconds / 1000, attributes)
  }
}
