// The plugin `opentelemetry`: a span for every request, active while its action runs, and metrics at its end.
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { form, type IncomingRequest, type Plugin, type RequestEnd, reportFlaws } from '../../extend.ts'
import {
  buildStartAttributes,
  dropUndefined,
  formatSpanName,
  getErrorType,
  getPath,
  getQuery,
} from './http-attributes.ts'
import { Instruments } from './instruments.ts'
import { TelemetryProviders } from './providers.ts'
import { createStatementObserver } from './statement-spans.ts'

/** The options of `opentelemetry`. */
export interface OpenTelemetryOptions {
  /**
   * Whether to continue the traces of callers. For public APIs, `false` starts a trace for each request and links it to
   * that of its caller.
   * @default `true`
   */
  readonly trust?: boolean
  /**
   * Whether spans include the address of the client, as `client.address`.
   * @default `false`
   */
  readonly clientAddress?: boolean
  /**
   * Whether spans include the `User-Agent` header, as `user_agent.original`.
   * @default `false`
   */
  readonly userAgent?: boolean
  /**
   * Whether spans include the query, as `url.query`: the values of declared params that are not secret.
   * @default `false`
   */
  readonly query?: boolean
  /**
   * Returns additional attributes of a request's span, at its end.
   * @default none
   */
  readonly attributes?: (request: IncomingRequest, ended: RequestEnd) => Attributes
  /**
   * Selects requests without spans and metrics, such as health checks.
   * @default none
   */
  readonly skip?: (request: IncomingRequest) => boolean
}

const FIELDS: form.Fields<OpenTelemetryOptions> = {
  trust: form.flag,
  clientAddress: form.flag,
  userAgent: form.flag,
  query: form.flag,
  attributes: form.callable,
  skip: form.callable,
}

/** The state of a request between the hooks. */
interface RequestTrace {
  readonly span: Span | undefined
  readonly context: Context
  /** Marks the request as no longer active. */
  readonly endActive: (() => void) | undefined
}

const TRACE_STATE = Symbol('opentelemetry')
const SKIPPED = Symbol('skipped')

/** Records spans and metrics of requests and of their database statements. */
export function opentelemetry(options: OpenTelemetryOptions = {}): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const providers = new TelemetryProviders((meter) => new Instruments(meter))
  return Object.freeze({
    name: 'opentelemetry',
    checkOptions: (report) => reportFlaws('opentelemetry', flaws, report),
    ...createRequestHooks(providers, value),
    statement: createStatementObserver(providers),
  } satisfies Plugin)
}

type RequestHooks = Required<Pick<Plugin, 'arrival' | 'around' | 'end'>>

function createRequestHooks(providers: TelemetryProviders<Instruments>, options: OpenTelemetryOptions): RequestHooks {
  const { trust = true, clientAddress: address = false, userAgent: agent = false } = options
  const { query = false, attributes, skip } = options
  const startSpan = createSpanStarter(trust, { address, agent })
  const isSkipped = (request: IncomingRequest): boolean => skip?.(request) === true
  return {
    arrival(request) {
      const { tracer, instruments } = providers
      if (tracer === undefined && instruments === undefined) return
      if (isSkipped(request)) {
        request.state[TRACE_STATE] = SKIPPED
        return
      }
      const endActive = instruments?.beginRequest(request)
      request.state[TRACE_STATE] = { ...startSpan(tracer, request), endActive } satisfies RequestTrace
    },
    around(request, work) {
      const requestTrace =
        providers.tracer === undefined ? undefined : (request.state[TRACE_STATE] as RequestTrace | undefined)
      if (requestTrace?.span === undefined) work()
      else context.with(requestTrace.context, work)
    },
    end(request, ended) {
      const { tracer, instruments } = providers
      if (tracer === undefined && instruments === undefined) return
      const requestTrace = request.state[TRACE_STATE] as RequestTrace | typeof SKIPPED | undefined
      if (requestTrace === SKIPPED || (requestTrace === undefined && isSkipped(request))) return
      requestTrace?.endActive?.()
      instruments?.endRequest(request, ended)
      // The server or another plugin may have responded before this plugin's `arrival`, so the span is created here.
      const { span } = requestTrace ?? startSpan(tracer, request)
      if (span === undefined) return
      finishSpan(span, request, ended)
      if (query) span.setAttributes(dropUndefined({ 'url.query': getQuery(request) }))
      if (attributes !== undefined) span.setAttributes(attributes(request, ended))
      span.end(request.arrivedAt + ended.duration)
    },
  }
}

type ClientAttributes = Parameters<typeof buildStartAttributes>[1]

/** Creates the function that starts the span of a request, in the trace of its caller or in a new one. */
function createSpanStarter(trust: boolean, client: ClientAttributes) {
  return (tracer: Tracer | undefined, request: IncomingRequest): Omit<RequestTrace, 'endActive'> => {
    const active = context.active()
    if (tracer === undefined) return { span: undefined, context: active }
    // In process, or below the instrumentation of another framework, there is already a span.
    const hasSpan = trace.getSpan(active) !== undefined
    const caller = hasSpan ? active : propagation.extract(active, request.headers)
    const parent = hasSpan || trust ? caller : active
    const remote = hasSpan || trust ? undefined : trace.getSpanContext(caller)
    const span = tracer.startSpan(
      formatSpanName(request),
      {
        kind: SpanKind.SERVER,
        startTime: request.arrivedAt,
        attributes: buildStartAttributes(request, client),
        ...(remote !== undefined && { links: [{ context: remote }] }),
      },
      parent,
    )
    return { span, context: trace.setSpan(parent, span) }
  }
}

function finishSpan(span: Span, request: IncomingRequest, ended: RequestEnd): void {
  span.updateName(formatSpanName(request))
  if (request.route !== undefined)
    span.setAttributes(dropUndefined({ 'http.route': request.route, 'url.path': getPath(request) }))
  span.setAttribute('http.response.status_code', ended.status)
  if (ended.outcome !== 'sent') span.setAttribute('edict.outcome', ended.outcome)
  const type = getErrorType(ended)
  if (type === undefined) return
  span.setAttribute('error.type', type)
  if (ended.error !== undefined) span.recordException(ended.error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
