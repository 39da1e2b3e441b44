// The forms of the options of `serve`.
import { loggerForm } from '../../server/boot/option-forms.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import {
  accept,
  callable,
  choice,
  either,
  type Fields,
  flag,
  isSettings,
  name,
  object,
  formatFlaw,
  structure,
  custom,
  integerFrom,
} from '../../util/setting-form.ts'
import type { ServeOptions, Timeouts } from './serve-options.ts'

const limitForm = custom('a number, or 0 for none', (value) => typeof value === 'number' && value >= 0)

const timeForm = custom(
  'a time in milliseconds, from 0 to 24 days',
  (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
)

const timeoutFields: Fields<Timeouts> = { headers: timeForm, request: timeForm, response: timeForm, keepAlive: timeForm, drain: timeForm }

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

const hasCertificate = (given: object): boolean =>
  readProperty(given, 'pfx') !== undefined ||
  readProperty(given, 'SNICallback') !== undefined ||
  (readProperty(given, 'key') !== undefined && readProperty(given, 'cert') !== undefined)

/** Throws one TypeError that names every option of `serve` that does not fit, and what would. */
export function checkServeArguments(app: unknown, options: unknown): void {
  const { flaws } = accept(options, serveFields)
  const told = flaws.map((flaw) => `${formatFlaw(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  if (typeof readProperty(app, 'handle') !== 'function')
    told.unshift(`there is ${describeValue(app)} to be served: give an application`)
  if (told.length > 0) throw new TypeError(`serve: ${told.join('; ')}`)
}
