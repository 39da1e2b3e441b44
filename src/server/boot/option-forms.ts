// The schemas of an application's options and of a plugin's properties.
import type { AnyController } from '../../design/controller.ts'
import { isEndpoint } from '../../design/declare/endpoint.ts'
import { metadataFields } from '../../design/metadata.ts'
import { hasBrand } from '../../util/brand.ts'
import { readProperty } from '../../util/describe-value.ts'
import {
  anything,
  callable,
  choice,
  custom,
  either,
  type Fields,
  flag,
  integerFrom,
  list,
  name,
  object,
  record,
  required,
  type SettingForm,
  structure,
  text,
} from '../../util/setting-form.ts'
import type { ApplicationOptions, Limits, Plugin } from '../application-options.ts'
import type { Logger } from '../logger.ts'
import { isHeaderName, isHeaderValue } from '../response/headers.ts'

const limitFields: Fields<Limits> = { body: integerFrom(1), queryPairs: integerFrom(1), queryDepth: integerFrom(1) }

const LEVELS: readonly (keyof Logger)[] = ['info', 'warn', 'error']

/** A logger of any class: only its methods matter. */
export const loggerForm: SettingForm = custom('a logger: an object with the functions info, warn and error', (value) =>
  LEVELS.every((level) => isFunction(readProperty(value, level))),
)

const isFunction = (value: unknown): boolean => typeof value === 'function'

const shareForm = custom('a share above 0, at most 1', (value) => typeof value === 'number' && value > 0 && value <= 1)

const headerNameForm = custom(
  'the name of a header',
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
)

const timeoutForm = custom(
  'a time in milliseconds, from 0, for none, to 24 days',
  (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
)

/** The schema of an application's options; controllers, plugins and verifiers are checked one by one. */
export const applicationFields: Fields<ApplicationOptions> = {
  title: text,
  description: text,
  ...metadataFields,
  basePath: text,
  controllers: anything,
  plugins: anything,
  verifiers: anything,
  config: structure,
  versionWith: list(choice('path', 'header', 'query')),
  validation: object<NonNullable<ApplicationOptions['validation']>>({ status: choice(400, 422) }),
  ignore: list(text),
  consumes: list(text),
  limits: object(limitFields),
  encodeProblem: custom('an encoder made by problemEncoder(…)', (value) => hasBrand(value, '~encoder')),
  validateResponses: either(choice('always', 'sample', 'off'), shareForm),
  timeout: timeoutForm,
  logger: loggerForm,
  logRequests: flag,
  requestId: object<NonNullable<ApplicationOptions['requestId']>>({ header: headerNameForm, trust: flag }),
  environment: choice('development', 'test', 'production'),
}

const isHeaderPart = (value: unknown, i: number): boolean =>
  typeof value === 'string' && (i % 2 === 0 ? isHeaderName(value) : isHeaderValue(value))

/** The schema of a plugin's properties; it may have others for its own use. */
export const pluginFields: Fields<Omit<Plugin, 'bind'>> = {
  name: required(name),
  provides: list(name),
  optionNames: list(name),
  codes: custom('codes made by defineCodes(…)', (value) => hasBrand(value, '~codes')),
  responseHeaders: custom(
    'a list of names and values of headers in turn',
    (value) => Array.isArray(value) && value.length % 2 === 0 && value.every(isHeaderPart),
  ),
  requires: list(name),
  after: list(name),
  excludes: list(name),
  merge: callable,
  apply: callable,
  checkOptions: callable,
  removeAction: callable,
  check: callable,
  paramNotes: callable,
  operation: callable,
  document: callable,
  checkBody: callable,
  checkParams: callable,
  contract: callable,
  before: list(name),
  checkPolicy: callable,
  enforce: callable,
  need: callable,
  audiences: record(callable),
  arrival: callable,
  around: callable,
  step: callable,
  response: callable,
  deprecated: callable,
  violation: callable,
  statements: list(custom('a source of statements', (value) => isFunction(readProperty(value, 'observe')))),
  statement: callable,
  end: callable,
  tools: record(callable),
  start: callable,
  close: callable,
}

/** Returns whether a value is a controller of an endpoint. */
export function isController(value: unknown): value is AnyController {
  const definition = readProperty(value, 'definition')
  return (
    readProperty(value, '~controller') === true &&
    isEndpoint(definition) &&
    isFunction(readProperty(definition, 'resolve'))
  )
}
