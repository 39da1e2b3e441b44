// The providers that an SDK registered with the OpenTelemetry API. Without an SDK the plugin does nothing.
import { createNoopMeter, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'

const INSTRUMENTATION_NAME = 'edict'

/** The current tracer and instruments, looked up again when an SDK is registered or removed. */
export class TelemetryProviders<I> {
  readonly #createInstruments: (meter: Meter) => I
  #tracerProvider: unknown
  #meterProvider: unknown
  #tracer: Tracer | undefined
  #instruments: I | undefined

  constructor(createInstruments: (meter: Meter) => I) {
    this.#createInstruments = createInstruments
  }

  /** Returns the tracer; undefined without an SDK. */
  get tracer(): Tracer | undefined {
    const provider = trace.getTracerProvider() as DelegatingProvider
    const actual = provider.getDelegate?.() ?? provider
    if (actual !== this.#tracerProvider) {
      this.#tracerProvider = actual
      // Without an SDK, the API provides a proxy that has no delegate.
      this.#tracer =
        provider.getDelegateTracer === undefined
          ? provider.getTracer(INSTRUMENTATION_NAME)
          : provider.getDelegateTracer(INSTRUMENTATION_NAME)
    }
    return this.#tracer
  }

  /** Returns the instruments; undefined without an SDK. */
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
