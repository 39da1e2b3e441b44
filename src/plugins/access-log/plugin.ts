// The plugin `accessLog`: one line for each response, with selected facts, written without slowing requests.
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
import { toLogValue, escapeControls } from './log-values.ts'
import { type LogDestination, openStandardOutput } from './stdout.ts'

/** A request without values that may be secret, for the log. */
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

/** A logger such as that of pino: fields first, then a message. */
export interface LineLogger {
  info(fields: object, message: string): void
}

/** Settings of `accessLog`. */
export interface AccessLogOptions {
  /**
   * Receives each line, a JSON text without a line break.
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

const HEADER_NAMES = form.list(form.custom('the name of a header', (name) => /^[\w!#$%&'*+.^`|~-]+$/.test(String(name))))

const FIELDS: form.Fields<AccessLogOptions> = {
  write: form.callable,
  logger: form.custom('a logger with a method info', (value) => typeof Object(value).info === 'function'),
  fields: form.list(form.choice(...Object.keys(FACT_NAMES))),
  requestHeaders: HEADER_NAMES,
  responseHeaders: HEADER_NAMES,
  add: form.callable,
  skip: form.callable,
}

/** Milliseconds between two warnings of lines that could not be written. */
const WARN_INTERVAL = 60_000

/** Writes one structured line for each response, without secrets. */
export function accessLog(options: AccessLogOptions = {}): Plugin {
  const { value, flaws } = form.accept<AccessLogOptions>(options, FIELDS)
  const { write, logger } = value
  let output: LogDestination | undefined
  let warn: (fields: object, message: string) => void = (fields, message) => console.warn(message, fields)
  const troubles = createFailureReporter((fields, message) => warn(fields, message))
  const toOutput = (line: string): void => {
    output ??= openStandardOutput()
    if (!output.write(line)) throw new Error('Standard output accepts no more lines')
  }
  const toWriter = (fields: object): unknown => (write ?? toOutput)(JSON.stringify(fields))
  const send = logger === undefined ? toWriter : (fields: object): unknown => logger.info(fields, 'request')
  const fieldsOf = createLineBuilder(value, troubles)
  return {
    name: 'access-log',
    checkOptions(report) {
      reportFlaws('accessLog', flaws, report)
      if (write !== undefined && logger !== undefined)
        report('accessLog.write', 'there is a logger as well', 'give one of write and logger')
    },
    apply(application) {
      const { logger: own } = application
      if (own !== undefined) warn = (fields, message) => own.warn(fields, message)
      return application
    },
    end(request, ended) {
      try {
        if (value.skip?.(request, ended) === true) return
        const sent = send(fieldsOf(request, ended))
        if (isThenable(sent)) Promise.resolve(sent).catch(troubles)
      } catch (error) {
        troubles(error)
      }
    },
    close: () => output?.flush(),
  }
}

/** Makes the fields of a line; the further ones of users come last, and cannot take the place of facts. */
function createLineBuilder(
  { fields, requestHeaders = [], responseHeaders = [], add }: AccessLogOptions,
  troubles: (error: unknown) => void,
): (request: IncomingRequest, ended: RequestEnd) => object {
  const shows = fields === undefined ? undefined : new Set<string>(fields)
  return (request, ended) => {
    const facts = requestFacts(request, ended) as unknown as Record<string, unknown>
    // The facts are made for this call, so that they can be the line.
    const line: Record<string, unknown> = shows === undefined ? facts : {}
    for (const name of Object.keys(facts)) {
      const fact = facts[name]
      if (shows === undefined || shows.has(name)) line[name] = typeof fact === 'string' ? escapeControls(fact) : fact
    }
    if (requestHeaders.length > 0)
      line['requestHeaders'] = readHeaders(requestHeaders, (name) => request.redactedHeader(name))
    if (responseHeaders.length > 0)
      line['responseHeaders'] = readHeaders(responseHeaders, (name) => ended.redactedHeader(name))
    if (add === undefined) return line
    try {
      return { ...(toLogValue(add(request, ended)) as object), ...line }
    } catch (error) {
      // A line without what could not be computed is worth more than none.
      troubles(error)
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

/** Reports lines that could not be written, at once and then once a minute: a broken log must not flood another. */
function createFailureReporter(warn: (fields: object, message: string) => void): (error: unknown) => void {
  let [count, toldAt] = [0, Number.NEGATIVE_INFINITY]
  return (err) => {
    count++
    const now = performance.now()
    if (now - toldAt < WARN_INTERVAL) return
    toldAt = now
    const since = count
    count = 0
    try {
      warn({ err, lines: since }, 'The access log could not be written as it should')
    } catch {
      // There is nowhere left to report it.
    }
  }
}
