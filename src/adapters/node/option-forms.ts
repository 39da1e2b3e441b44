// The forms of the options of `serve`.
import { logger } from '../../server/boot/option-forms.ts'
import { described, property } from '../../util/described.ts'
import {
  accept,
  callable,
  choice,
  either,
  type Fields,
  flag,
  isStructure,
  name,
  object,
  sentence,
  structure,
  tested,
  whole,
} from '../../util/form.ts'
import type { ServeOptions, Timeouts } from './options.ts'

const limit = tested('a number, or 0 for none', (value) => typeof value === 'number' && value >= 0)

const time = tested(
  'a time in milliseconds, from 0 to 24 days',
  (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
)

const timeouts: Fields<Timeouts> = { headers: time, request: time, response: time, keepAlive: time, drain: time }

const fields: Fields<ServeOptions> = {
  port: tested(
    'a number from 0 to 65535',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  ),
  host: name,
  backlog: whole(0),
  workers: either(whole(1), choice('auto')),
  logger,
  signals: flag,
  fatal: choice(true, false, 'log'),
  timeouts: object(timeouts),
  maxHeaderSize: whole(1),
  maxRequests: limit,
  maxPipelined: limit,
  maxReceiving: limit,
  maxConnections: limit,
  maxDelay: limit,
  onClose: callable,
  tls: tested(
    'options of tls.createServer with `key` and `cert`, with `pfx`, or with `SNICallback`',
    (value) => isStructure(value) && hasCertificate(value),
  ),
  http: structure,
}

const hasCertificate = (given: object): boolean =>
  property(given, 'pfx') !== undefined ||
  property(given, 'SNICallback') !== undefined ||
  (property(given, 'key') !== undefined && property(given, 'cert') !== undefined)

/** Throws one TypeError that names every option of `serve` that does not fit, and what would. */
export function checkServed(app: unknown, options: unknown): void {
  const { flaws } = accept(options, fields)
  const told = flaws.map((flaw) => `${sentence(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  if (typeof property(app, 'handle') !== 'function')
    told.unshift(`there is ${described(app)} to be served: give an application`)
  if (told.length > 0) throw new TypeError(`serve: ${told.join('; ')}`)
}
