// The schemas of the options of `serve`.
import { loggerForm } from '../../server/boot/option-forms.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import {
  accept,
  callable,
  choice,
  custom,
  either,
  type Fields,
  flag,
  formatFlaw,
  integerFrom,
  isSettings,
  name,
  object,
  structure,
} from '../../util/setting-form.ts'
import type { ServeOptions, Timeouts } from './serve-options.ts'

const limitForm = custom('a number, or 0 for none', (value) => typeof value === 'number' && value >= 0)

const timeForm = custom(
  'a time in milliseconds, from 0 to 24 days',
  (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
)

const timeoutFields: Fields<Timeouts> = {
  headers: timeForm,
  request: timeForm,
  response: timeForm,
  keepAlive: timeForm,
  drain: timeForm,
}

const serveFields: Fields<ServeOptions> = {
  port: custom(
    'a number from 0 to 65535',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  ),
  host: name,
  backlog: integerFrom(0),
  workers: either(integerFrom(1), choice('auto')),
  logger: loggerForm,
  signals: flag,
  fatal: choice(true, false, 'log'),
  timeouts: object(timeoutFields),
  maxHeaderSize: integerFrom(1),
  maxRequests: limitForm,
  maxPipelined: limitForm,
  maxReceiving: limitForm,
  maxConnections: limitForm,
  maxDelay: limitForm,
  onClose: callable,
  tls: custom(
    'options of tls.createServer with `key` and `cert`, with `pfx`, or with `SNICallback`',
    (value) => isSettings(value) && hasCertificate(value),
  ),
  http: structure,
}

const hasCertificate = (options: object): boolean =>
  readProperty(options, 'pfx') !== undefined ||
  readProperty(options, 'SNICallback') !== undefined ||
  (readProperty(options, 'key') !== undefined && readProperty(options, 'cert') !== undefined)

/** Throws one TypeError that names every invalid option of `serve`, with its remedy. */
export function checkServeArguments(app: unknown, options: unknown): void {
  const { flaws } = accept(options, serveFields)
  const messages = flaws.map((flaw) => `${formatFlaw(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  if (typeof readProperty(app, 'handle') !== 'function')
    messages.unshift(`there is ${describeValue(app)} to be served: give an application`)
  if (messages.length > 0) throw new TypeError(`serve: ${messages.join('; ')}`)
}
