// The plugin `prometheus`: counts the requests of an application, and serves the metrics as a page.
import {
  type ApplicationOptions,
  form,
  type PlainBody,
  type Plugin,
  replayResponse,
  reportFlaws,
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
import {
  CONTENT_TYPES,
  formatFamilies,
  type MetricFamily,
  type MetricFormat,
  negotiateFormat,
  PAGE_END,
} from './exposition-format.ts'
import { collectPoolFamilies, type ObservedPool } from './pools.ts'
import { RequestMeter } from './request-meter.ts'
import { RuntimeMeter } from './runtime-meter.ts'

export type { PoolUse } from './pools.ts'

/** A registry of prom-client, or a compatible object. */
export interface Registry {
  /** The content type of its format. */
  readonly contentType: string
  metrics(): string | Promise<string>
}

/** The options of `prometheus`. */
export interface PrometheusOptions {
  /**
   * The path of the page, below the base path of the application; `false` for no page, to serve it separately.
   * @default `/metrics`
   */
  readonly path?: string | false
  /**
   * The security of the page, as in an action.
   * @default all clients
   * @see docs/guide/security.md
   */
  readonly security?: SecuritySpec
  /**
   * A registry of prom-client with your own metrics, which are included in the page.
   * @default none
   */
  readonly registry?: Registry
  /**
   * Connection pools by name: pools of pg, or functions that return the use of others.
   * @default none
   */
  readonly pools?: Readonly<Record<string, ObservedPool>>
  /**
   * The bounds of the duration buckets, in seconds, ascending.
   * @default from 5 ms to 10 s
   */
  readonly buckets?: readonly number[]
}

const DEFAULT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const pathForm = form.custom(
  "a plain path, such as '/metrics', or false",
  (value) => value === false || (typeof value === 'string' && /^(\/[\w.~-]+)+$/.test(value)),
)

const bucketsForm = form.custom(
  'a list of numbers above 0 that rise',
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one, i) => Number.isFinite(one) && one > (i === 0 ? 0 : value[i - 1])),
)

const FIELDS: form.Fields<PrometheusOptions> = {
  path: pathForm,
  // The endpoint of the page validates its security.
  security: form.anything,
  registry: form.custom(
    'a registry with contentType and metrics()',
    (value) =>
      typeof (value as Registry | null)?.metrics === 'function' && typeof (value as Registry).contentType === 'string',
  ),
  pools: form.record(
    form.custom(
      'a pool of pg, or a function that returns the use of a pool',
      (value) =>
        typeof value === 'function' || typeof (value as { totalCount?: unknown } | null)?.totalCount === 'number',
    ),
  ),
  buckets: bucketsForm,
}

/** The plugin and its page, which can be served on another port. */
export interface MetricsPage extends Plugin {
  /** An application that serves only the page. */
  readonly page: Application
}

const ARRIVED_STATE = Symbol('prometheus')

/** Serves metrics of requests, of the process and of pools. */
export function prometheus(options: PrometheusOptions = {}): MetricsPage {
  const { value, flaws } = form.accept(options, FIELDS)
  const { path = '/metrics', pools = {}, buckets = DEFAULT_BUCKETS } = value
  const requests = new RequestMeter(buckets)
  const runtime = new RuntimeMeter()
  const collectFamilies = (): MetricFamily[] => [
    ...requests.collectFamilies(),
    ...runtime.collectFamilies(),
    ...collectPoolFamilies(pools),
  ]
  const renderPage = createPageRenderer(collectFamilies, value.registry)
  const createPageController = (at: string, security: SecuritySpec): AnyController =>
    createController(renderPage, at, security)
  let pageApplication: Application | undefined
  return Object.freeze({
    name: 'prometheus',
    checkOptions: (report) => reportFlaws('prometheus', flaws, report),
    apply: (options: ApplicationOptions) =>
      path === false
        ? options
        : { ...options, controllers: [...options.controllers, createPageController(path, value.security ?? 'none')] },
    arrival(request) {
      requests.active++
      request.state[ARRIVED_STATE] = true
    },
    end(request, ended) {
      // Requests that another plugin or the server handled earlier were never in progress here.
      if (request.state[ARRIVED_STATE] === true) requests.active--
      requests.countRequest(request, ended)
    },
    start: () => runtime.start(),
    close: () => runtime.close(),
    get page() {
      pageApplication ??= application({
        title: 'Metrics',
        controllers: [createPageController(path === false ? '/metrics' : path, 'none')],
      })
      return pageApplication
    },
  } satisfies MetricsPage)
}

/** A page: its content type and its text. */
interface RenderedPage {
  readonly contentType: string
  readonly text: string
}

type RenderPage = (accept: string) => Promise<RenderedPage>

function createPageRenderer(collectFamilies: () => MetricFamily[], registry: Registry | undefined): RenderPage {
  return async (accept) => {
    if (registry === undefined) {
      const format = negotiateFormat(accept)
      return { contentType: CONTENT_TYPES[format], text: formatFamilies(collectFamilies(), format) + PAGE_END[format] }
    }
    // A registry has one format, regardless of `Accept`. Metrics that it contains are not written twice.
    const { contentType } = registry
    const format: MetricFormat = contentType.startsWith('application/openmetrics-text') ? 'openmetrics' : 'text'
    const registryText = (await registry.metrics()).replace(/(?:^|\n)# EOF\s*$/, '\n').replace(/\n*$/, '\n')
    const known = new Set(
      [...registryText.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => (name as string).replace(/_total$/, '')),
    )
    const ours = collectFamilies().filter(({ name }) => !known.has(name))
    return {
      contentType,
      text: formatFamilies(ours, format) + (registryText === '\n' ? '' : registryText) + PAGE_END[format],
    }
  }
}

const declareEndpoint = (path: string, security: SecuritySpec) =>
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

const PAGE_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

type MetricsResponse = ActionResponse<'ok', PlainBody>

function createController(renderPage: RenderPage, path: string, security: SecuritySpec): AnyController {
  return declareEndpoint(path, security).implement({
    async show(_, { request }) {
      const { contentType, text } = await renderPage(request.env.headers['accept']?.toString() ?? '')
      // The content type is sent as it is, because its parameters state the version of the format.
      return replayResponse({
        status: 200,
        headers: [['Content-Type', contentType], ...PAGE_HEADERS],
        body: text,
      }) as MetricsResponse
    },
  })
}
