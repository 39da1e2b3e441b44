// Metrics of requests: count, duration, size, and requests in progress.
import type { IncomingRequest, RequestEnd } from '../../extend.ts'
import type { MetricFamily, MetricSample } from './exposition-format.ts'

/** A histogram: counts measurements by bucket. */
class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.#sum += value
    this.#count++
    const bounds = this.#bounds
    for (let i = 0; i < bounds.length; i++) {
      if (value > (bounds[i] as number)) continue
      ;(this.#counts[i] as number)++
      return
    }
  }

  samples(labels: Readonly<Record<string, string>>): MetricSample[] {
    let total = 0
    const buckets = this.#bounds.map((bound, i) => {
      total += this.#counts[i] as number
      return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: total }
    })
    return [
      ...buckets,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: this.#count },
    ]
  }
}

const SIZE_BUCKETS = [128, 1024, 8192, 65_536, 524_288, 4_194_304]

interface RequestSeries {
  readonly labels: Readonly<Record<string, string>>
  requests: number
  readonly seconds: Histogram
  readonly received: Histogram
  readonly sent: Histogram
}

/** The label of requests without a route, regardless of their paths. */
const UNMATCHED = 'unmatched'

/** The metrics of an application's requests. */
export class RequestMeter {
  /** Requests in progress. */
  active = 0
  readonly #series = new Map<string, RequestSeries>()
  readonly #seconds: readonly number[]

  constructor(seconds: readonly number[]) {
    this.#seconds = seconds
  }

  /** Counts a request that has ended. */
  countRequest({ knownMethod: method, route = UNMATCHED }: IncomingRequest, ended: RequestEnd): void {
    const key = `${method} ${ended.status} ${route}`
    const series = this.#series.get(key) ?? this.#addSeries(key, { method, route, status: String(ended.status) })
    series.requests++
    series.seconds.observe(ended.duration / 1000)
    series.received.observe(ended.received)
    series.sent.observe(ended.sent)
  }

  /** Collects the metrics. */
  collectFamilies(): readonly MetricFamily[] {
    const all = [...this.#series.values()]
    const collectSamples = (getHistogram: (series: RequestSeries) => Histogram): MetricSample[] =>
      all.flatMap((series) => getHistogram(series).samples(series.labels))
    return [
      {
        name: 'http_requests',
        type: 'counter',
        help: 'Requests that have ended, by method, route and status.',
        samples: all.map(({ labels, requests }) => ({ labels, value: requests })),
      },
      {
        name: 'http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the arrival of a request to the last byte of its response.',
        samples: collectSamples(({ seconds }) => seconds),
      },
      {
        name: 'http_request_size_bytes',
        type: 'histogram',
        help: 'Bytes of request bodies that were read.',
        samples: collectSamples(({ received }) => received),
      },
      {
        name: 'http_response_size_bytes',
        type: 'histogram',
        help: 'Bytes of response bodies that were sent.',
        samples: collectSamples(({ sent }) => sent),
      },
      {
        name: 'http_requests_in_flight',
        type: 'gauge',
        help: 'Requests that have arrived and not ended.',
        samples: [{ value: this.active }],
      },
    ]
  }

  #addSeries(key: string, labels: RequestSeries['labels']): RequestSeries {
    const createHistogram = (bounds: readonly number[]): Histogram => new Histogram(bounds)
    const series: RequestSeries = {
      labels,
      requests: 0,
      seconds: createHistogram(this.#seconds),
      received: createHistogram(SIZE_BUCKETS),
      sent: createHistogram(SIZE_BUCKETS),
    }
    this.#series.set(key, series)
    return series
  }
}
