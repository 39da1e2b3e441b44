// The documentation as static files, for any web server.
import type { ApiDescription } from '../../extend.ts'
import type { OpenapiVersion } from '../../index.ts'
import { createDocsSite } from './docs-site.ts'
import type { DocsLook } from './look.ts'
import type { Renderer } from './renderer.ts'

/** One file of the static documentation. */
export interface StaticFile {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly content: Uint8Array
}

/** The options of the static documentation. */
export interface StaticDocsOptions extends DocsLook {
  /**
   * The URL of the API, such as `https://api.example.com`.
   * @default the server of the files
   */
  readonly server?: string
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

/** Returns the documentation of an application as files, which work under any URL. */
export async function* staticDocs(api: ApiDescription, options: StaticDocsOptions = {}): AsyncGenerator<StaticFile> {
  const site = createDocsSite(api, options)
  for (const path of ['index.html', ...site.files]) {
    const asset = await (path === 'index.html' ? site.page('') : site.file(path))
    yield { path, content: (await asset?.plain()) ?? new Uint8Array() }
  }
}
