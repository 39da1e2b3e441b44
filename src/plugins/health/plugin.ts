// The plugin `health`: two endpoints for probes, which cost next to nothing however often they are asked.
import { type ApiDescription, form, type Plugin, reportFlaws } from '../../extend.ts'
import { type AnyController, endpoint, mediaType, type RawHeaders, route, t } from '../../index.ts'
import { type HealthCheck, type HealthCheckOptions, type HealthCheckResult, CheckRunner } from './health-check.ts'

/** Settings of `health`. */
export interface HealthOptions {
  /**
   * The path of the liveness probe below the base path: whether to keep the process. `false` for none.
   * @default `'/health/live'`
   */
  readonly live?: string | false
  /**
   * The path of the readiness probe below the base path: whether to send the process requests. `false` for none.
   * @default `'/health/ready'`
   */
  readonly ready?: string | false
  /**
   * The checks that have to pass before the process takes requests, by name.
   * @default none
   */
  readonly checks?: Readonly<Record<string, HealthCheck | HealthCheckOptions>>
  /**
   * The checks that have to pass for the process to be kept, by name: use them only for failures that a restart repairs.
   * @default none
   */
  readonly liveChecks?: Readonly<Record<string, HealthCheck | HealthCheckOptions>>
  /**
   * How long a check may take.
   * @default `'1s'`
   */
  readonly timeout?: form.Duration
  /**
   * How long the result of a check is kept, good or bad.
   * @default `'1s'`
   */
  readonly keep?: form.Duration
  /**
   * Whether responses name the checks and their results, for everybody or for some requests; never their errors.
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
const CHECK_FIELDS: form.Fields<HealthCheckOptions> = { check: form.required(form.callable), timeout: limitForm, keep: form.duration(0) }
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

/** Answers liveness and readiness probes. */
export function health(options: HealthOptions = {}): Plugin {
  const { value, flaws } = form.accept<HealthOptions>(options, FIELDS)
  return {
    name: 'health',
    checkOptions: (report) => reportFlaws('health', flaws, report),
    apply(application, finished) {
      const { logger = CONSOLE } = application
      const tell: ReportChange = (name, { status, error }) =>
        status === 'ok'
          ? logger.info({ check: name }, 'A health check works again')
          : logger.warn({ check: name, status, err: error }, 'A health check failed')
      const added = createProbes(value, finished, tell)
      return { ...application, controllers: [...application.controllers, ...added] }
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

const declareLiveness = (path: string, nodoc: boolean) =>
  endpoint('Liveness', { nodoc, actions: { live: declareAction(path, 'Whether the process is to be kept.') } })

const declareReadiness = (path: string, nodoc: boolean) =>
  endpoint('Readiness', { nodoc, actions: { ready: declareAction(path, 'Whether the process is to get requests.') } })

// Each has its own endpoint, so that one of them can be omitted.
function createProbes(options: HealthOptions, finished: () => ApiDescription, tell: ReportChange): AnyController[] {
  const { live = '/health/live', ready = '/health/ready', documented = false } = options
  const alive = new Probe(options, createRunners(options.liveChecks, options, tell), () => undefined)
  const able = new Probe(options, createRunners(options.checks, options, tell), () => finished().phase())
  return [
    ...(live === false
      ? []
      : [
          declareLiveness(live, !documented).implement({
            live: async (_, { reply, request }) => {
              const found = await alive.run(request.env.headers)
              return found.status === 'ok' ? reply.ok(found, NO_STORE) : reply.serviceUnavailable(found, NO_STORE)
            },
          }),
        ]),
    ...(ready === false
      ? []
      : [
          declareReadiness(ready, !documented).implement({
            ready: async (_, { reply, request }) => {
              const found = await able.run(request.env.headers)
              return found.status === 'ok' ? reply.ok(found, NO_STORE) : reply.serviceUnavailable(found, NO_STORE)
            },
          }),
        ]),
  ]
}

const NO_STORE = { headers: { 'Cache-Control': 'no-store' } } as const

function createRunners(given: HealthOptions['checks'] = {}, options: HealthOptions, tell: ReportChange): CheckRunner[] {
  const { timeout = '1s', keep = '1s' } = options
  return Object.entries(given).map(([name, one]) => {
    const own: HealthCheckOptions = typeof one === 'function' ? { check: one } : one
    const limits = { timeout: form.toMilliseconds(own.timeout ?? timeout), keep: form.toMilliseconds(own.keep ?? keep) }
    return new CheckRunner(name, own.check, limits, tell)
  })
}

interface ProbeResult {
  readonly status: 'ok' | 'unavailable'
  readonly phase?: string
  readonly checks?: Record<string, Pick<HealthCheckResult, 'status' | 'duration'>>
}

/** One of the two questions: all of its checks at once, and the phase of the application where that counts. */
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
      const shown = typeof this.#details === 'function' ? await this.#details({ headers }) : this.#details
      // Whatever else a function returns by mistake shows nothing.
      return shown === true
    } catch {
      return false
    }
  }

  async run(headers: RawHeaders): Promise<ProbeResult> {
    const phase = this.#phase()
    const wanted = phase === undefined || phase === 'serving'
    // A process that is to get no requests asks nothing of others.
    const results = wanted ? await Promise.all(this.#runners.map(async (one) => one.getResult())) : []
    const works = wanted && results.every(({ status }) => status === 'ok')
    const status = works ? 'ok' : 'unavailable'
    if (!(await this.#mayShowDetails(headers))) return { status }
    const named = this.#runners.slice(0, results.length).map(({ name }, i) => {
      const { status: one, duration } = results[i] as HealthCheckResult
      return [name, { status: one, duration }] as const
    })
    return { status, ...(phase !== undefined && { phase }), checks: Object.fromEntries(named) }
  }
}
