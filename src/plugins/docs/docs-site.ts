// The site: the page, its scripts and the documents of an application, each created on first request.
import type { ApiDescription, Policy } from '../../extend.ts'
import type { OpenapiOptions } from '../../index.ts'
import { type Asset, createTextAsset } from './asset.ts'
import { buildContentSecurityPolicy, type ListedDocument, type PageParts, renderPage } from './docs-page.ts'
import type { DocsLook } from './look.ts'
import { type Renderer, scalarRenderer } from './renderer.ts'

/** The documentation of one application. */
export interface DocsSite {
  /** Returns the page for a URL from which its files are found under `folder`. */
  page(folder: '' | `${string}/`): Promise<Asset>
  /** Returns a file by its path below the page; undefined if there is none. */
  file(path: string): Promise<Asset> | undefined
  /** The content security policy of the page. */
  readonly policy: string
  /** The paths of all files. */
  readonly files: readonly string[]
}

const START_FILE = 'start.js'

/** The look of a site, and its location. */
export interface DocsSiteSettings extends DocsLook, OpenapiOptions, Pick<PageParts, 'path' | 'server'> {
  readonly renderer?: Renderer
}

/** Creates the documentation of an application. */
export function createDocsSite(api: ApiDescription, settings: DocsSiteSettings = {}): DocsSite {
  const { renderer = scalarRenderer, path, server, openapi = '3.1', ...look } = settings
  const documents = listDocuments(api)
  const serverParts = { servers: api.servers, ...(server !== undefined && { server }) }
  const makers = new Map<string, () => Promise<Asset>>([
    ...Object.entries(renderer.files),
    [START_FILE, () => createTextAsset('text/javascript; charset=utf-8', renderer.start)],
    ...documents.map(
      ({ url, version }) =>
        [url, () => createTextAsset('application/json', JSON.stringify(api.openapi(version, { openapi })))] as const,
    ),
  ])
  const assets = new Map<string, Promise<Asset>>()
  const getOrCreate = (key: string, make: () => Promise<Asset>): Promise<Asset> => {
    const asset = assets.get(key) ?? make()
    assets.set(key, asset)
    // A failed attempt may succeed the next time.
    asset.catch(() => assets.delete(key))
    return asset
  }
  return {
    page: (folder) =>
      getOrCreate(`page ${folder}`, () => {
        const parts: PageParts = {
          title: api.title,
          documents: documents.map((one) => ({ ...one, url: folder + one.url })),
          scripts: [...renderer.scripts, START_FILE].map((name) => folder + name),
          styles: renderer.styles.map((name) => folder + name),
          look,
          basePath: api.basePath,
          ...(path !== undefined && { path }),
          ...serverParts,
        }
        return createTextAsset('text/html; charset=utf-8', renderPage(parts))
      }),
    file(path) {
      const make = makers.get(path)
      return make && getOrCreate(path, make)
    },
    policy: buildContentSecurityPolicy(serverParts),
    files: [...makers.keys()],
  }
}

/** Returns whether the content of a file never changes under its name. */
export const isImmutable = (path: string): boolean => /-[0-9a-f]{16}\.(?:css|js)$/.test(path)

// Lists the documents: versions in the order of declaration, then the endpoints without one.
function listDocuments(api: ApiDescription): ListedDocument[] {
  const { title, versions } = api
  const named = versions.filter((version) => version !== undefined)
  const slugs = new Set<string>(['unversioned'])
  const makeSlug = (name: string, i: number): string => {
    const anchor = toAnchor(name)
    const slug = slugs.has(anchor) ? `${anchor}-${i}` : anchor
    slugs.add(slug)
    return slug
  }
  const documents: ListedDocument[] = named.map((version, i) => {
    const plain = version.replace(/[^\w.-]/g, '-')
    const name = named.findIndex((other) => other.replace(/[^\w.-]/g, '-') === plain) === i ? plain : `${plain}-${i}`
    const schemes = findPreferredSchemes(api, version)
    return { version, title: `${title} ${version}`, slug: makeSlug(name, i), url: `openapi/${name}.json`, schemes }
  })
  if (!versions.includes(undefined)) return documents
  const schemes = findPreferredSchemes(api, undefined)
  const ownTitle = documents.length === 0 ? title : `${title}, no version`
  return [...documents, { version: undefined, title: ownTitle, slug: 'unversioned', url: 'openapi.json', schemes }]
}

// Scalar writes the names of documents into anchors, and recognizes only these characters.
const toAnchor = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

// Finds the schemes that operations list first most often.
function findPreferredSchemes({ endpoints }: ApiDescription, wantedVersion: string | undefined): readonly string[] {
  const actions = endpoints.flatMap(({ version, actions }) => (version === wantedVersion ? [...actions.values()] : []))
  const counts = new Map<string, number>()
  for (const { policies } of actions) {
    const first = [...policies.values()].map(listSchemes).find((names) => names.length > 0)
    const key = JSON.stringify(first ?? [])
    if (first !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [[mostFrequent] = ['[]']] = [...counts].sort(([, a], [, b]) => b - a)
  return JSON.parse(mostFrequent)
}

/** Lists the schemes of the first alternative of a policy that has any. */
function listSchemes(policy: Policy): string[] {
  const { security } = policy.document?.({ scheme: (_, name) => name }) ?? {}
  const all = Array.isArray(security) ? (security as readonly object[]).map((one) => Object.keys(one)) : []
  return all.find((names) => names.length > 0) ?? []
}
