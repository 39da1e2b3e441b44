// The snippets of docs/guide/opentelemetry.md.
import { metrics, SpanKind } from '@opentelemetry/api'
import type { Shown } from '../../scripts/snippets.ts'

// #region sdk
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

// The SDK is yours: any exporter will do, and NodeSDK of @opentelemetry/sdk-node does all of this at once.
const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
// #endregion

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { opentelemetry } from 'edict/opentelemetry'

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
  },
})

const tracer = trace.getTracer('shop')
const books = Books.implement({
  // A span of your own is a child of the request's.
  show: ({ id }) =>
    tracer.startActiveSpan('look it up', (span) => {
      span.end()
      return `Book ${id}`
    }),
})

export const app = application({ controllers: [books], plugins: [opentelemetry()] })
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  async spans() {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await app.fetch(new Request('http://shop.example/books/7', { headers: { traceparent, host: 'shop.example' } }))
    await app.fetch(new Request('http://shop.example/nowhere'))
    const lines = exporter.getFinishedSpans().map(({ name, kind, parentSpanContext: parent, attributes }) => {
      const status = attributes['http.response.status_code']
      const below =
        parent === undefined ? 'a trace of its own' : `below ${parent.isRemote ? 'the caller' : 'the request'}`
      return `${SpanKind[kind]} ${name}${status === undefined ? '' : ` ${status}`}, ${below}`
    })
    for (const one of [trace, context, propagation, metrics]) one.disable()
    return lines.join('\n')
  },
}
