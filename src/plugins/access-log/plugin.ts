// The plugin `accessLog`: writes one structured line for each response, in the background.
import {
  form,
  type IncomingRequest,
  isThenable,
  type Plugin,
  type RequestEnd,
  type RequestFacts,
  reportFlaws,
  requestFacts,
} from '../../extend.ts'
import { escapeControls, toLogValue } from './log-values.ts'
import { createStdoutDestination, type LogDestination } from './stdout.ts'

/** A request for the log, without values that may be secret. */
export type LoggedRequest = Pick<
  IncomingRequest,
  | 'method'
  | 'redactedUrl'
  | 'redactedHeader'
  | 'address'
  | 'id'
  | 'route'
  | 'action'
  | 'declaration'
  | 'version'
  | 'principal'
  | 'state'
  | 'arrivedAt'
>

/** A logger such as pino: fields first, then a message. */
export interface LineLogger {
  info(fields: object, message: string): void
}

/** The options of `accessLog`. */
export interface AccessLogOptions {
  /**
   * Receives each line, as JSON without a line break.
   * @default standard output, written in the background
   */
  readonly write?: (line: string) => void
  /**
   * Receives the fields of each line instead; accepts a pino logger.
   * @default none
   */
  readonly logger?: LineLogger
  /**
   * The fields of a line.
   * @default all
   */
  readonly fields?: readonly (keyof RequestFacts)[]
  /**
   * Names of request headers that a line includes; credentials and secrets are redacted.
   * @default none
   */
  readonly requestHeaders?: readonly string[]
  /**
   * Names of response headers that a line includes; `Set-Cookie` and secrets are redacted.
   * @default none
   */
  readonly responseHeaders?: readonly string[]
  /** Returns further fields of a line, such as the tenant of the principal. */
  readonly add?: (request: LoggedRequest, ended: RequestEnd) => object
  /** Skips a response, such as that of a probe. */
  readonly skip?: (request: LoggedRequest, ended: RequestEnd) => boolean
}

const FACT_NAMES: { readonly [K in keyof Required<RequestFacts>]: true } = {
  time: true,
  requestId: true,
  method: true,
  url: true,
  route: true,
  action: true,
  version: true,
  address: true,
  status: true,
  code: true,
  outcome: true,
  duration: true,
  received: true,
  sent: true,
}

const HEADER_NAMES = form.list(
  form.custom('the name of a header', (name) => /^[\w!#$%&'*+.^`|~-]+$/.test(String(name))),
)

const FIELDS: form.Fields<AccessLogOptions> = {
  write: form.callable,
  logger: form.custom('a logger with a method info', (value) => typeof Object(value).info === 'function'),
  fields: form.list(form.choice(...Object.keys(FACT_NAMES))),
  requestHeaders: HEADER_NAMES,
  responseHeaders: HEADER_NAMES,
  add: form.callable,
  skip: form.callable,
}

/** The minimum interval in milliseconds between two warnings about lines that could not be written. */
const WARN_INTERVAL = 60_000

/** Writes one structured line for each response, without secrets. */
export function accessLog(options: AccessLogOptions = {}): Plugin {
  const { value, flaws } = form.accept<AccessLogOptions>(options, FIELDS)
  const { write, logger } = value
  let destination: LogDestination | undefined
  let warn: (fields: object, message: string) => void = (fields, message) => console.warn(message, fields)
  const reportFailure = createFailureReporter((fields, message) => warn(fields, message))
  const writeToStdout = (line: string): void => {
    destination ??= createStdoutDestination()
    if (!destination.write(line)) throw new Error('Standard output accepts no more lines')
  }
  const writeLine = (fields: object): unknown => (write ?? writeToStdout)(JSON.stringify(fields))
  const send = logger === undefined ? writeLine : (fields: object): unknown => logger.info(fields, 'request')
  const buildLine = createLineBuilder(value, reportFailure)
  return {
    name: 'access-log',
    checkOptions(report) {
      reportFlaws('accessLog', flaws, report)
      if (write !== undefined && logger !== undefined)
        report('accessLog.write', 'there is a logger as well', 'give one of write and logger')
    },
    apply(application) {
      const { logger: applicationLogger } = application
      if (applicationLogger !== undefined) warn = (fields, message) => applicationLogger.warn(fields, message)
      return application
    },
    end(request, ended) {
      try {
        if (value.skip?.(request, ended) === true) return
        const sent = send(buildLine(request, ended))
        if (isThenable(sent)) Promise.resolve(sent).catch(reportFailure)
      } catch (error) {
        reportFailure(error)
      }
    },
    close: () => destination?.flush(),
  }
}

/** Creates the function that builds the fields of a line. Fields of `add` come first and cannot replace facts. */
function createLineBuilder(
  { fields, requestHeaders = [], responseHeaders = [], add }: AccessLogOptions,
  reportFailure: (error: unknown) => void,
): (request: IncomingRequest, ended: RequestEnd) => object {
  const selected = fields === undefined ? undefined : new Set<string>(fields)
  return (request, ended) => {
    const facts = requestFacts(request, ended) as unknown as Record<string, unknown>
    // The facts are created for this call, so they can serve as the line.
    const line: Record<string, unknown> = selected === undefined ? facts : {}
    for (const name of Object.keys(facts)) {
      const fact = facts[name]
      if (selected === undefined || selected.has(name))
        line[name] = typeof fact === 'string' ? escapeControls(fact) : fact
    }
    if (requestHeaders.length > 0)
      line['requestHeaders'] = readHeaders(requestHeaders, (name) => request.redactedHeader(name))
    if (responseHeaders.length > 0)
      line['responseHeaders'] = readHeaders(responseHeaders, (name) => ended.redactedHeader(name))
    if (add === undefined) return line
    try {
      return { ...(toLogValue(add(request, ended)) as object), ...line }
    } catch (error) {
      // A line without the additional fields is better than no line.
      reportFailure(error)
      return line
    }
  }
}

function readHeaders(names: readonly string[], read: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = read(name)
    if (value !== undefined) found[name.toLowerCase()] = escapeControls(value)
  }
  return found
}

/**
 * Reports lines that could not be written, at once and then once a minute, so that a broken log does not flood another
 * one.
 */
function createFailureReporter(warn: (fields: object, message: string) => void): (error: unknown) => void {
  let [count, reportedAt] = [0, Number.NEGATIVE_INFINITY]
  return (err) => {
    count++
    const now = performance.now()
    if (now - reportedAt < WARN_INTERVAL) return
    reportedAt = now
    const lines = count
    count = 0
    try {
      warn({ err, lines }, 'The access log could not be written as it should')
    } catch {
      // There is nowhere left to report it.
    }
  }
}
