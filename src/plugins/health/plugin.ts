// The plugin `health`: two endpoints for probes, cheap enough for frequent calls.
import { type ApiDescription, form, type Plugin, reportFlaws } from '../../extend.ts'
import { type AnyController, endpoint, mediaType, type RawHeaders, route, t } from '../../index.ts'
import { CheckRunner, type HealthCheck, type HealthCheckOptions, type HealthCheckResult } from './health-check.ts'

/** The options of `health`. */
export interface HealthOptions {
  /**
   * The path of the liveness probe below the base path, which states whether to keep the process. `false` disables it.
   * @default `'/health/live'`
   */
  readonly live?: string | false
  /**
   * The path of the readiness probe below the base path, which states whether to route requests to it. `false`
   * disables it.
   * @default `'/health/ready'`
   */
  readonly ready?: string | false
  /**
   * The checks that must pass before the process receives requests, by name.
   * @default none
   */
  readonly checks?: Readonly<Record<string, HealthCheck | HealthCheckOptions>>
  /**
   * The checks that must pass for the process to be kept, by name. Use them only for failures that a restart repairs.
   * @default none
   */
  readonly liveChecks?: Readonly<Record<string, HealthCheck | HealthCheckOptions>>
  /**
   * The timeout of a check.
   * @default `'1s'`
   */
  readonly timeout?: form.Duration
  /**
   * The time for which the result of a check is cached, good or bad.
   * @default `'1s'`
   */
  readonly keep?: form.Duration
  /**
   * Whether responses contain the checks and their results, for all or for some requests; never their errors.
   * @default `false`
   */
  readonly details?: boolean | ((request: { readonly headers: RawHeaders }) => boolean | Promise<boolean>)
  /**
   * Whether documents describe the two paths.
   * @default `false`
   */
  readonly documented?: boolean
}

const pathForm = form.either(form.custom("a plain path, such as '/health/ready'", isPath), form.choice(false))
const limitForm = form.duration(1)
const CHECK_FIELDS: form.Fields<HealthCheckOptions> = {
  check: form.required(form.callable),
  timeout: limitForm,
  keep: form.duration(0),
}
const checksForm = form.record(form.either(form.callable, form.object(CHECK_FIELDS)))

const FIELDS: form.Fields<HealthOptions> = {
  live: pathForm,
  ready: pathForm,
  checks: checksForm,
  liveChecks: checksForm,
  timeout: limitForm,
  keep: form.duration(0),
  details: form.either(form.flag, form.callable),
  documented: form.flag,
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^(\/[\w.~-]+)+$/.test(value)
}

/** Responds to liveness and readiness probes. */
export function health(options: HealthOptions = {}): Plugin {
  const { value, flaws } = form.accept<HealthOptions>(options, FIELDS)
  return {
    name: 'health',
    checkOptions: (report) => reportFlaws('health', flaws, report),
    apply(application, finished) {
      const { logger = CONSOLE } = application
      const reportChange: ReportChange = (name, { status, error }) =>
        status === 'ok'
          ? logger.info({ check: name }, 'A health check works again')
          : logger.warn({ check: name, status, err: error }, 'A health check failed')
      const probes = createProbes(value, finished, reportChange)
      return { ...application, controllers: [...application.controllers, ...probes] }
    },
  }
}

const CONSOLE = {
  info() {},
  warn: (fields: object, message: string) => console.warn(message, fields),
}

type ReportChange = (name: string, result: HealthCheckResult) => void

const Health = mediaType('Health', {
  identifier: 'application/json',
  description: 'The result of a probe.',
  attributes: {
    status: t.string({ required: true, values: ['ok', 'unavailable'] }),
    phase: t.string({ description: 'The phase of the application.' }),
    checks: t.record(
      t.object({
        status: t.string({ required: true, values: ['ok', 'failed', 'timeout'] }),
        duration: t.integer({ required: true, description: 'Milliseconds.' }),
      }),
      { description: 'The results of the checks, by name.' },
    ),
  },
})

const PROBE_RESPONSES = { ok: Health, serviceUnavailable: { mediaType: Health } } as const

const declareAction = (path: string, description: string) => ({
  description,
  routing: route.get(`/${path}`),
  security: 'none' as const,
  ignore: ['*'],
  responses: PROBE_RESPONSES,
})

// Each probe is a separate endpoint, so that one of them can be omitted.
function createProbes(
  options: HealthOptions,
  finished: () => ApiDescription,
  reportChange: ReportChange,
): AnyController[] {
  const { live = '/health/live', ready = '/health/ready', documented = false } = options
  const liveness = new Probe(options, createRunners(options.liveChecks, options, reportChange), () => undefined)
  const readiness = new Probe(options, createRunners(options.checks, options, reportChange), () => finished().phase())
  return [
    ...(live === false
      ? []
      : [
          endpoint('Liveness', {
            nodoc: !documented,
            actions: { live: declareAction(live, 'Whether the process is to be kept.') },
          }).implement({
            live: async (_, { reply, request }) => {
              const result = await liveness.run(request.env.headers)
              return result.status === 'ok' ? reply.ok(result, NO_STORE) : reply.serviceUnavailable(result, NO_STORE)
            },
          }),
        ]),
    ...(ready === false
      ? []
      : [
          endpoint('Readiness', {
            nodoc: !documented,
            actions: { ready: declareAction(ready, 'Whether the process is to get requests.') },
          }).implement({
            ready: async (_, { reply, request }) => {
              const result = await readiness.run(request.env.headers)
              return result.status === 'ok' ? reply.ok(result, NO_STORE) : reply.serviceUnavailable(result, NO_STORE)
            },
          }),
        ]),
  ]
}

const NO_STORE = { headers: { 'Cache-Control': 'no-store' } } as const

function createRunners(
  checks: HealthOptions['checks'] = {},
  options: HealthOptions,
  reportChange: ReportChange,
): CheckRunner[] {
  const { timeout = '1s', keep = '1s' } = options
  return Object.entries(checks).map(([name, one]) => {
    const checkOptions: HealthCheckOptions = typeof one === 'function' ? { check: one } : one
    const limits = {
      timeout: form.toMilliseconds(checkOptions.timeout ?? timeout),
      keep: form.toMilliseconds(checkOptions.keep ?? keep),
    }
    return new CheckRunner(name, checkOptions.check, limits, reportChange)
  })
}

interface ProbeResult {
  readonly status: 'ok' | 'unavailable'
  readonly phase?: string
  readonly checks?: Record<string, Pick<HealthCheckResult, 'status' | 'duration'>>
}

/** A probe: runs all of its checks at once, and considers the phase of the application for readiness. */
class Probe {
  readonly #details: NonNullable<HealthOptions['details']>
  readonly #runners: readonly CheckRunner[]
  readonly #phase: () => string | undefined

  constructor({ details = false }: HealthOptions, runners: readonly CheckRunner[], phase: () => string | undefined) {
    this.#details = details
    this.#runners = runners
    this.#phase = phase
  }

  // If `details` throws, the response has no details; its status does not depend on them.
  async #mayShowDetails(headers: RawHeaders): Promise<boolean> {
    try {
      const result = typeof this.#details === 'function' ? await this.#details({ headers }) : this.#details
      // Any value but `true` shows nothing.
      return result === true
    } catch {
      return false
    }
  }

  async run(headers: RawHeaders): Promise<ProbeResult> {
    const phase = this.#phase()
    const isServing = phase === undefined || phase === 'serving'
    // A process that receives no requests does not run checks.
    const results = isServing ? await Promise.all(this.#runners.map(async (one) => one.getResult())) : []
    const isHealthy = isServing && results.every(({ status }) => status === 'ok')
    const status = isHealthy ? 'ok' : 'unavailable'
    if (!(await this.#mayShowDetails(headers))) return { status }
    const named = this.#runners.slice(0, results.length).map(({ name }, i) => {
      const { status: checkStatus, duration } = results[i] as HealthCheckResult
      return [name, { status: checkStatus, duration }] as const
    })
    return { status, ...(phase !== undefined && { phase }), checks: Object.fromEntries(named) }
  }
}
