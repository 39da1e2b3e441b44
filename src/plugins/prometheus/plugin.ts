// The plugin: counts every request of an application, and gives what it has counted as a page.
import {
  type ApplicationOptions,
  form,
  type PlainBody,
  type Plugin,
  reportFlaws,
  writtenResponse,
} from '../../extend.ts'
import {
  type ActionResponse,
  type AnyController,
  type Application,
  application,
  endpoint,
  route,
  type SecuritySpec,
} from '../../index.ts'
import { END, type Family, FORMATS, type Format, formatFor, written } from './format.ts'
import { type Pool, poolFamilies } from './pools.ts'
import { RequestMeter } from './requests.ts'
import { RuntimeMeter } from './runtime.ts'

export type { PoolUse } from './pools.ts'

/** A registry of prom-client, or any object that writes metrics in the same way. */
export interface Registry {
  /** The format that it writes, as `Content-Type` names it. */
  readonly contentType: string
  metrics(): string | Promise<string>
}

/** Options of the plugin `prometheus`. */
export interface PrometheusOptions {
  /**
   * The path of the page, below the base path of the application; `false` for no page, to serve it separately.
   * @default `/metrics`
   */
  readonly path?: string | false
  /**
   * The schemes that admit readers of the page, as in an action.
   * @default everybody
   * @see docs/guide/security.md
   */
  readonly security?: SecuritySpec
  /**
   * A registry of prom-client with your own metrics, which the page includes.
   * @default none
   */
  readonly registry?: Registry
  /**
   * Connection pools by name: pools of pg, or functions that return the use of others.
   * @default none
   */
  readonly pools?: Readonly<Record<string, Pool>>
  /**
   * The bounds of the duration buckets, in seconds, ascending.
   * @default from 5 ms to 10 s
   */
  readonly buckets?: readonly number[]
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const path = form.tested(
  "a plain path, such as '/metrics', or false",
  (value) => value === false || (typeof value === 'string' && /^(\/[\w.~-]+)+$/.test(value)),
)

const rising = form.tested(
  'a list of numbers above 0 that rise',
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one, i) => Number.isFinite(one) && one > (i === 0 ? 0 : value[i - 1])),
)

const FIELDS: form.Fields<PrometheusOptions> = {
  path,
  // The endpoint of the page looks at its security like any other.
  security: form.anything,
  registry: form.tested(
    'a registry with contentType and metrics()',
    (value) =>
      typeof (value as Registry | null)?.metrics === 'function' && typeof (value as Registry).contentType === 'string',
  ),
  pools: form.record(
    form.tested(
      'a pool of pg, or a function that tells the use of a pool',
      (value) =>
        typeof value === 'function' || typeof (value as { totalCount?: unknown } | null)?.totalCount === 'number',
    ),
  ),
  buckets: rising,
}

/** The plugin and its page, which can be served on another port. */
export interface MetricsPage extends Plugin {
  /** An application that has nothing but the page. */
  readonly page: Application
}

const ARRIVED = Symbol('prometheus')

/** Serves metrics of requests, of the process and of pools. */
export function prometheus(options: PrometheusOptions = {}): MetricsPage {
  const { value, flaws } = form.accept(options, FIELDS)
  const { path = '/metrics', pools = {}, buckets = SECONDS } = value
  const requests = new RequestMeter(buckets)
  const runtime = new RuntimeMeter()
  const families = (): Family[] => [...requests.families(), ...runtime.families(), ...poolFamilies(pools)]
  const page = pageOf(families, value.registry)
  const shown = (at: string, security: SecuritySpec): AnyController => controllerOf(page, at, security)
  let own: Application | undefined
  return Object.freeze({
    name: 'prometheus',
    checkOptions: (report) => reportFlaws('prometheus', flaws, report),
    apply: (given: ApplicationOptions) =>
      path === false ? given : { ...given, controllers: [...given.controllers, shown(path, value.security ?? 'none')] },
    arrival(request) {
      requests.active++
      request.state[ARRIVED] = true
    },
    end(request, ended) {
      // Requests that another plugin or the server answered earlier were never in progress here.
      if (request.state[ARRIVED] === true) requests.active--
      requests.count(request, ended)
    },
    start: () => runtime.start(),
    close: () => runtime.close(),
    get page() {
      own ??= application({ title: 'Metrics', controllers: [shown(path === false ? '/metrics' : path, 'none')] })
      return own
    },
  } satisfies MetricsPage)
}

/** A page: its format and its text. */
interface Page {
  readonly contentType: string
  readonly text: string
}

type Render = (accept: string) => Promise<Page>

function pageOf(families: () => Family[], registry: Registry | undefined): Render {
  return async (accept) => {
    if (registry === undefined) {
      const format = formatFor(accept)
      return { contentType: FORMATS[format], text: written(families(), format) + END[format] }
    }
    // A registry writes one format, whatever the client accepts; its metrics are not written twice.
    const { contentType } = registry
    const format: Format = contentType.startsWith('application/openmetrics-text') ? 'openmetrics' : 'text'
    const others = (await registry.metrics()).replace(/(?:^|\n)# EOF\s*$/, '\n').replace(/\n*$/, '\n')
    const known = new Set(
      [...others.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => (name as string).replace(/_total$/, '')),
    )
    const ours = families().filter(({ name }) => !known.has(name))
    return { contentType, text: written(ours, format) + (others === '\n' ? '' : others) + END[format] }
  }
}

const declared = (path: string, security: SecuritySpec) =>
  endpoint('Metrics', {
    description: 'Metrics of this process, for Prometheus.',
    prefix: path,
    nodoc: true,
    actionDefaults: { security },
    actions: {
      show: {
        description: 'The page.',
        routing: route.get('/'),
        ignore: ['*'],
        responses: { ok: { mediaType: ['text/plain', 'application/openmetrics-text'] } },
      },
    },
  })

const HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

type Shown = ActionResponse<'ok', PlainBody>

function controllerOf(page: Render, path: string, security: SecuritySpec): AnyController {
  return declared(path, security).implement({
    async show(_, { request }) {
      const { contentType, text } = await page(request.env.headers['accept']?.toString() ?? '')
      // The type is written as it is: its parameters are the version of the format.
      return writtenResponse({ status: 200, headers: [['Content-Type', contentType], ...HEADERS], body: text }) as Shown
    },
  })
}
