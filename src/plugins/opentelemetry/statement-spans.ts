// Statements as spans below whatever is active when they are sent: a request, or a span of the user's own.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { SentStatement, StatementEnd, StatementObserver } from '../../extend.ts'
import { dropUndefined } from './http-attributes.ts'
import type { Instruments } from './instruments.ts'
import type { TelemetryProviders } from './providers.ts'

/** Statements that have a span: one database may serve several applications of a process. */
const observedStatements = new WeakSet<SentStatement>()

/** Makes the function that follows statements. */
export function createStatementObserver(providers: TelemetryProviders<Instruments>): StatementObserver {
  return (statement) => {
    const { tracer, instruments } = providers
    if ((tracer === undefined && instruments === undefined) || observedStatements.has(statement)) return undefined
    observedStatements.add(statement)
    const { system, operation, table, text } = statement
    const about = { 'db.system.name': system, 'db.operation.name': operation, 'db.collection.name': table }
    const isChild = tracer !== undefined && trace.getSpan(context.active()) !== undefined
    const attributes = { ...about, 'db.query.text': text }
    const span = isChild ? tracer.startSpan(`${operation} ${table}`, { kind: SpanKind.CLIENT, attributes }) : undefined
    const began = performance.now()
    return (ended) => {
      const outcome = buildOutcomeAttributes(operation, ended)
      const { 'error.type': type } = outcome
      instruments?.recordStatement(performance.now() - began, dropUndefined({ ...about, 'error.type': type }))
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

function buildOutcomeAttributes(operation: string, { rows, error }: StatementEnd): Record<string, string | number | undefined> {
  const code = (error as { readonly code?: string | number } | undefined)?.code
  return dropUndefined({
    [operation === 'SELECT' ? 'db.response.returned_rows' : 'edict.db.affected_rows']: rows,
    'db.response.status_code': code === undefined ? undefined : String(code),
    'error.type': error === undefined ? undefined : String(code ?? error.name),
  }) as Record<string, string | number | undefined>
}
