// The providers that an SDK registered with the OpenTelemetry API. The plugin first checks for one: without an SDK it does nothing.
import { createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'

const INSTRUMENTATION_NAME = 'edict'

/** Where spans and measurements go, looked up again when an SDK is registered or taken away. */
export class TelemetryProviders<I> {
  readonly #createInstruments: (meter: Meter) => I
  #tracerProvider: unknown
  #meterProvider: unknown
  #tracer: Tracer | undefined
  #instruments: I | undefined

  constructor(make: (meter: Meter) => I) {
    this.#createInstruments = make
  }

  /** The tracer; undefined without an SDK. */
  get tracer(): Tracer | undefined {
    const provider = trace.getTracerProvider() as DelegatingProvider
    const actual = provider.getDelegate?.() ?? provider
    if (actual !== this.#tracerProvider) {
      this.#tracerProvider = actual
      // The API itself stands in for an SDK with a provider that delegates to none.
      this.#tracer =
        provider.getDelegateTracer === undefined ? provider.getTracer(INSTRUMENTATION_NAME) : provider.getDelegateTracer(INSTRUMENTATION_NAME)
    }
    return this.#tracer
  }

  /** The instruments; undefined without an SDK. */
  get instruments(): I | undefined {
    const provider = metrics.getMeterProvider()
    if (provider !== this.#meterProvider) {
      this.#meterProvider = provider
      const meter = provider.getMeter(INSTRUMENTATION_NAME)
      this.#instruments = meter === createNoopMeter() ? undefined : this.#createInstruments(meter)
    }
    return this.#instruments
  }
}

interface DelegatingProvider {
  getTracer(name: string): Tracer
  getDelegate?(): unknown
  getDelegateTracer?(name: string): Tracer | undefined
}
