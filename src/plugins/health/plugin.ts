// The plugin `health`: two endpoints for probes, which cost next to nothing however often they are asked.
import { type ApiDescription, form, type Plugin, reportFlaws } from '../../extend.ts'
import { type AnyController, endpoint, mediaType, type RawHeaders, route, t } from '../../index.ts'
import { type Check, type CheckOptions, type CheckResult, Runner } from './check.ts'

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
  readonly checks?: Readonly<Record<string, Check | CheckOptions>>
  /**
   * The checks that have to pass for the process to be kept, by name: use them only for failures that a restart repairs.
   * @default none
   */
  readonly liveChecks?: Readonly<Record<string, Check | CheckOptions>>
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

const path = form.either(form.tested("a plain path, such as '/health/ready'", isPath), form.choice(false))
const limit = form.duration(1)
const CHECK: form.Fields<CheckOptions> = { check: form.required(form.callable), timeout: limit, keep: form.duration(0) }
const checks = form.record(form.either(form.callable, form.object(CHECK)))

const FIELDS: form.Fields<HealthOptions> = {
  live: path,
  ready: path,
  checks,
  liveChecks: checks,
  timeout: limit,
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
      const tell: Tell = (name, { status, error }) =>
        status === 'ok'
          ? logger.info({ check: name }, 'A health check works again')
          : logger.warn({ check: name, status, err: error }, 'A health check failed')
      const added = probes(value, finished, tell)
      return { ...application, controllers: [...application.controllers, ...added] }
    },
  }
}

const CONSOLE = {
  info() {},
  warn: (fields: object, message: string) => console.warn(message, fields),
}

type Tell = (name: string, result: CheckResult) => void

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

const RESPONSES = { ok: Health, serviceUnavailable: { mediaType: Health } } as const

const actionAt = (path: string, description: string) => ({
  description,
  routing: route.get(`/${path}`),
  security: 'none' as const,
  ignore: ['*'],
  responses: RESPONSES,
})

const liveAt = (path: string, nodoc: boolean) =>
  endpoint('Liveness', { nodoc, actions: { live: actionAt(path, 'Whether the process is to be kept.') } })

const readyAt = (path: string, nodoc: boolean) =>
  endpoint('Readiness', { nodoc, actions: { ready: actionAt(path, 'Whether the process is to get requests.') } })

// Each has its own endpoint, so that one of them can be omitted.
function probes(options: HealthOptions, finished: () => ApiDescription, tell: Tell): AnyController[] {
  const { live = '/health/live', ready = '/health/ready', documented = false } = options
  const alive = new Probe(options, runnersOf(options.liveChecks, options, tell), () => undefined)
  const able = new Probe(options, runnersOf(options.checks, options, tell), () => finished().phase())
  return [
    ...(live === false
      ? []
      : [
          liveAt(live, !documented).implement({
            live: async (_, { reply, request }) => {
              const found = await alive.look(request.env.headers)
              return found.status === 'ok' ? reply.ok(found, FRESH) : reply.serviceUnavailable(found, FRESH)
            },
          }),
        ]),
    ...(ready === false
      ? []
      : [
          readyAt(ready, !documented).implement({
            ready: async (_, { reply, request }) => {
              const found = await able.look(request.env.headers)
              return found.status === 'ok' ? reply.ok(found, FRESH) : reply.serviceUnavailable(found, FRESH)
            },
          }),
        ]),
  ]
}

const FRESH = { headers: { 'Cache-Control': 'no-store' } } as const

function runnersOf(given: HealthOptions['checks'] = {}, options: HealthOptions, tell: Tell): Runner[] {
  const { timeout = '1s', keep = '1s' } = options
  return Object.entries(given).map(([name, one]) => {
    const own: CheckOptions = typeof one === 'function' ? { check: one } : one
    const limits = { timeout: form.milliseconds(own.timeout ?? timeout), keep: form.milliseconds(own.keep ?? keep) }
    return new Runner(name, own.check, limits, tell)
  })
}

interface Found {
  readonly status: 'ok' | 'unavailable'
  readonly phase?: string
  readonly checks?: Record<string, Pick<CheckResult, 'status' | 'duration'>>
}

/** One of the two questions: all of its checks at once, and the phase of the application where that counts. */
class Probe {
  readonly #details: NonNullable<HealthOptions['details']>
  readonly #runners: readonly Runner[]
  readonly #phase: () => string | undefined

  constructor({ details = false }: HealthOptions, runners: readonly Runner[], phase: () => string | undefined) {
    this.#details = details
    this.#runners = runners
    this.#phase = phase
  }

  // If `details` throws, the response has no details; its status does not depend on them.
  async #shows(headers: RawHeaders): Promise<boolean> {
    try {
      const shown = typeof this.#details === 'function' ? await this.#details({ headers }) : this.#details
      // Whatever else a function returns by mistake shows nothing.
      return shown === true
    } catch {
      return false
    }
  }

  async look(headers: RawHeaders): Promise<Found> {
    const phase = this.#phase()
    const wanted = phase === undefined || phase === 'serving'
    // A process that is to get no requests asks nothing of others.
    const results = wanted ? await Promise.all(this.#runners.map(async (one) => one.result())) : []
    const works = wanted && results.every(({ status }) => status === 'ok')
    const status = works ? 'ok' : 'unavailable'
    if (!(await this.#shows(headers))) return { status }
    const named = this.#runners.slice(0, results.length).map(({ name }, i) => {
      const { status: one, duration } = results[i] as CheckResult
      return [name, { status: one, duration }] as const
    })
    return { status, ...(phase !== undefined && { phase }), checks: Object.fromEntries(named) }
  }
}
