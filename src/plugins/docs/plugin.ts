// The plugin `docs`: serves the documentation of an application.

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
  type OpenapiVersion,
  type RawHeaders,
  Responses,
  route,
  type SecuritySpec,
  t,
} from '../../index.ts'
import { type Asset, chooseContent } from './asset.ts'
import { createDocsSite, type DocsSite, isImmutable } from './docs-site.ts'
import { type DocsLook, lookFields } from './look.ts'
import type { Renderer } from './renderer.ts'
import { staticDocs } from './static.ts'

/** The options of `docs`. */
export interface DocsOptions extends DocsLook {
  /**
   * The path of the page, below the base path of the application.
   * @default `/docs`
   */
  readonly path?: string
  /**
   * The security of the documentation, as in an action.
   * @default all clients
   * @see docs/guide/security.md
   */
  readonly security?: SecuritySpec
  /**
   * The renderer of the documents, such as `swaggerUi()` of `edict/docs/swagger-ui`.
   * @default Scalar
   */
  readonly renderer?: Renderer
  /**
   * The version of OpenAPI in which the documents are written.
   * @default `'3.1'`
   * @see docs/guide/openapi.md#openapi-32
   */
  readonly openapi?: OpenapiVersion
}

const CONFIG_FIELDS: form.Fields<Pick<DocsOptions, 'path'>> = {
  path: form.custom("a plain path, such as '/docs'", isPath),
}
// The endpoint of the documentation validates its security.
const FIELDS: form.Fields<DocsOptions> = {
  ...CONFIG_FIELDS,
  ...lookFields,
  security: form.anything,
  openapi: form.choice('3.1', '3.2'),
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
    // The same documentation as files, for the command line.
    tools: { docs: (application, settings) => staticDocs(application, { ...look, ...settings }) },
  } satisfies Plugin)
}

// Uses the valid options; boot reports the others.
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
  let cachedSite: DocsSite | undefined
  const { security: _, ...look } = options
  const getSite = (): DocsSite => {
    cachedSite ??= createDocsSite(finished(), { ...look, path: finished().basePath + path })
    return cachedSite
  }
  return declareEndpoint(path, options).implement({
    async page(_, { request }) {
      // Without a trailing slash in the URL of the page, its files are in a sibling folder.
      const needsFolder = !(request.url.split('?', 1)[0] as string).endsWith('/')
      const asset = await getSite().page(needsFolder ? `${path.slice(path.lastIndexOf('/') + 1)}/` : '')
      return deliverAsset(asset, request.env.headers, buildPageHeaders(getSite().policy))
    },
    async file({ splat }, { reply, request }) {
      const name = splat.join('/')
      const asset = await getSite().file(name)
      if (asset === undefined) return reply.notFound(`The documentation has no file ${name}.`)
      return deliverAsset(
        asset,
        request.env.headers,
        isImmutable(name) ? IMMUTABLE_HEADERS : { 'Cache-Control': 'no-cache' },
      )
    },
  })
}

const buildPageHeaders = (policy: string): HeaderBag => ({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': `${policy}; frame-ancestors 'self'`,
  'Referrer-Policy': 'no-referrer',
})
const IMMUTABLE_HEADERS: HeaderBag = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Responds with an asset, or with 304 if the client has it. */
async function deliverAsset(asset: Asset, requestHeaders: RawHeaders, assetHeaders: HeaderBag): Promise<AssetResponse> {
  // The tag is weak because it also covers the compressed form.
  const headers: HeaderBag = { ...assetHeaders, ETag: `W/"${asset.tag}"`, Vary: 'Accept-Encoding' }
  if (isCached(asset, requestHeaders['if-none-match'])) return new Responses.NotModified({ headers })
  const { body, encoding } = await chooseContent(asset, requestHeaders['accept-encoding']?.toString())
  if (encoding !== undefined) headers['Content-Encoding'] = encoding
  return new Responses.Ok({ body, headers, mediaType: asset.contentType })
}

type AssetResponse = ActionResponse<'ok', PlainBody> | ActionResponse<'notModified', undefined>

const isCached = ({ tag }: Asset, ifNoneMatch: RawHeaders[string]): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.toString().trim() === '*' || ifNoneMatch.toString().includes(`"${tag}"`))
