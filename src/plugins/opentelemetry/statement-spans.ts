// Creates spans of statements, as children of the active span: that of a request, or one of the user.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { SentStatement, StatementEnd, StatementObserver } from '../../extend.ts'
import { dropUndefined } from './http-attributes.ts'
import type { Instruments } from './instruments.ts'
import type { TelemetryProviders } from './providers.ts'

/** Statements that already have a span, because a database may serve several applications of a process. */
const observedStatements = new WeakSet<SentStatement>()

/** Creates the function that observes statements. */
export function createStatementObserver(providers: TelemetryProviders<Instruments>): StatementObserver {
  return (statement) => {
    const { tracer, instruments } = providers
    if ((tracer === undefined && instruments === undefined) || observedStatements.has(statement)) return undefined
    observedStatements.add(statement)
    const { system, operation, table, text } = statement
    const metricAttributes = { 'db.system.name': system, 'db.operation.name': operation, 'db.collection.name': table }
    const isChild = tracer !== undefined && trace.getSpan(context.active()) !== undefined
    const attributes = { ...metricAttributes, 'db.query.text': text }
    const span = isChild ? tracer.startSpan(`${operation} ${table}`, { kind: SpanKind.CLIENT, attributes }) : undefined
    const startedAt = performance.now()
    return (ended) => {
      const outcome = buildOutcomeAttributes(operation, ended)
      const { 'error.type': type } = outcome
      instruments?.recordStatement(
        performance.now() - startedAt,
        dropUndefined({ ...metricAttributes, 'error.type': type }),
      )
      if (span === undefined) return
      span.setAttributes(outcome)
      if (ended.error !== undefined) {
        span.recordException(ended.error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    }
  }
}

function buildOutcomeAttributes(
  operation: string,
  { rows, error }: StatementEnd,
): Record<string, string | number | undefined> {
  const code = (error as { readonly code?: string | number } | undefined)?.code
  return dropUndefined({
    [operation === 'SELECT' ? 'db.response.returned_rows' : 'edict.db.affected_rows']: rows,
    'db.response.status_code': code === undefined ? undefined : String(code),
    'error.type': error === undefined ? undefined : String(code ?? error.name),
  }) as Record<string, string | number | undefined>
}
