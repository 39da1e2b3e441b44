// The providers that an SDK registered with the OpenTelemetry API. The plugin first checks for one: without an SDK it does nothing.
import { createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'

const NAME = 'edict'

/** Where spans and measurements go, looked up again when an SDK is registered or taken away. */
export class Providers<I> {
  readonly #make: (meter: Meter) => I
  #traced: unknown
  #metered: unknown
  #tracer: Tracer | undefined
  #instruments: I | undefined

  constructor(make: (meter: Meter) => I) {
    this.#make = make
  }

  /** The tracer; undefined without an SDK. */
  get tracer(): Tracer | undefined {
    const provider = trace.getTracerProvider() as Delegating
    const actual = provider.getDelegate?.() ?? provider
    if (actual !== this.#traced) {
      this.#traced = actual
      // The API itself stands in for an SDK with a provider that delegates to none.
      this.#tracer =
        provider.getDelegateTracer === undefined ? provider.getTracer(NAME) : provider.getDelegateTracer(NAME)
    }
    return this.#tracer
  }

  /** The instruments; undefined without an SDK. */
  get instruments(): I | undefined {
    const provider = metrics.getMeterProvider()
    if (provider !== this.#metered) {
      this.#metered = provider
      const meter = provider.getMeter(NAME)
      this.#instruments = meter === createNoopMeter() ? undefined : this.#make(meter)
    }
    return this.#instruments
  }
}

interface Delegating {
  getTracer(name: string): Tracer
  getDelegate?(): unknown
  getDelegateTracer?(name: string): Tracer | undefined
}
