// The docs plugin: the documentation of an application, served by the application itself.

import {
  type ApiDescription,
  type ApplicationOptions,
  form,
  type PlainBody,
  type Plugin,
  readSettings,
} from '../../extend.ts'
import {
  type ActionResponse,
  type AnyController,
  endpoint,
  type HeaderBag,
  type RawHeaders,
  Responses,
  route,
  type SecuritySpec,
  t,
} from '../../index.ts'
import { type Asset, chooseContent } from './asset.ts'
import { type DocsLook, lookFields } from './look.ts'
import type { Renderer } from './renderer.ts'
import { isImmutable, type DocsSite, createDocsSite } from './docs-site.ts'
import { staticDocs } from './static.ts'

/** Options of the documentation browser. */
export interface DocsOptions extends DocsLook {
  /**
   * The path of the page, below the base path of the application.
   * @default `/docs`
   */
  readonly path?: string
  /**
   * The schemes that admit readers of the documentation, as in an action.
   * @default everybody
   * @see docs/guide/security.md
   */
  readonly security?: SecuritySpec
  /**
   * The program that shows the documents, such as `swaggerUi()` of `edict/docs/swagger-ui`.
   * @default Scalar
   */
  readonly renderer?: Renderer
}

const CONFIG_FIELDS: form.Fields<Pick<DocsOptions, 'path'>> = { path: form.custom("a plain path, such as '/docs'", isPath) }
// The endpoint of the documentation looks at its security like any other.
const FIELDS: form.Fields<DocsOptions> = {
  ...CONFIG_FIELDS,
  ...lookFields,
  security: form.anything,
  renderer: form.custom('what swaggerUi() returns', (value) => form.isSettings(value) && 'start' in value),
}

/** Serves the documentation browser and the OpenAPI documents of the application. */
export function docs(options: DocsOptions = {}): Plugin {
  const { path: _, security: __, ...look } = form.accept(options, FIELDS).value
  return Object.freeze({
    name: 'docs',
    apply: (application, finished) => {
      const path = resolvePath(options, application)
      const { value } = form.accept(options, FIELDS)
      return { ...application, controllers: [...application.controllers, createDocsController(path, value, finished)] }
    },
    checkOptions: (report, { config }) => {
      readSettings('docs', options, FIELDS, report)
      readSettings('config.docs', config?.['docs'], CONFIG_FIELDS, report)
    },
    // The same as files, for the command line.
    tools: { docs: (application, settings) => staticDocs(application, { ...look, ...settings }) },
  } satisfies Plugin)
}

// Where something is wrong with the options, what remains of them is enough until that is reported.
const resolvePath = (options: DocsOptions, { config }: ApplicationOptions): string =>
  form.accept(config?.['docs'], CONFIG_FIELDS).value.path ?? form.accept(options, FIELDS).value.path ?? '/docs'

function isPath(path: unknown): boolean {
  return typeof path === 'string' && /^(\/[\w.~-]+)+$/.test(path)
}

const declareEndpoint = (path: string, { security = 'none' }: DocsOptions) =>
  endpoint('Documentation', {
    description: 'The documentation of this API.',
    prefix: path,
    nodoc: true,
    actionDefaults: { security },
    actions: {
      page: {
        description: 'The page.',
        routing: route.get('/'),
        ignore: ['*'],
        responses: { ok: 'text/html', notModified: true },
      },
      file: {
        description: 'A script of the page, or a document.',
        routing: route.get('/*'),
        params: { splat: t.array(t.string()) },
        ignore: ['*'],
        responses: {
          ok: { mediaType: ['application/json', 'text/javascript', 'text/css'] },
          notModified: true,
          notFound: true,
        },
      },
    },
  })

function createDocsController(path: string, options: DocsOptions, finished: () => ApiDescription): AnyController {
  let kept: DocsSite | undefined
  const { security: _, ...look } = options
  const site = (): DocsSite => {
    kept ??= createDocsSite(finished(), { ...look, path: finished().basePath + path })
    return kept
  }
  return declareEndpoint(path, options).implement({
    async page(_, { request }) {
      // Without a slash at its end, the address of the page is a neighbour of its files' folder.
      const neighbour = !(request.url.split('?', 1)[0] as string).endsWith('/')
      const asset = await site().page(neighbour ? `${path.slice(path.lastIndexOf('/') + 1)}/` : '')
      return deliverAsset(asset, request.env.headers, buildPageHeaders(site().policy))
    },
    async file({ splat }, { reply, request }) {
      const name = splat.join('/')
      const asset = await site().file(name)
      if (asset === undefined) return reply.notFound(`The documentation has no file ${name}.`)
      return deliverAsset(asset, request.env.headers, isImmutable(name) ? IMMUTABLE_HEADERS : { 'Cache-Control': 'no-cache' })
    },
  })
}

const buildPageHeaders = (policy: string): HeaderBag => ({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': `${policy}; frame-ancestors 'self'`,
  'Referrer-Policy': 'no-referrer',
})
const IMMUTABLE_HEADERS: HeaderBag = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Answers with an asset, or that the client has it. */
async function deliverAsset(asset: Asset, sent: RawHeaders, own: HeaderBag): Promise<AssetResponse> {
  // The tag is weak because it stands for the compressed form as well.
  const headers: HeaderBag = { ...own, ETag: `W/"${asset.tag}"`, Vary: 'Accept-Encoding' }
  if (isCached(asset, sent['if-none-match'])) return new Responses.NotModified({ headers })
  const { body, encoding } = await chooseContent(asset, sent['accept-encoding']?.toString())
  if (encoding !== undefined) headers['Content-Encoding'] = encoding
  return new Responses.Ok({ body, headers, mediaType: asset.contentType })
}

type AssetResponse = ActionResponse<'ok', PlainBody> | ActionResponse<'notModified', undefined>

const isCached = ({ tag }: Asset, sent: RawHeaders[string]): boolean =>
  sent !== undefined && (sent.toString().trim() === '*' || sent.toString().includes(`"${tag}"`))
