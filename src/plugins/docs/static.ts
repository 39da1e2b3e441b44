// The documentation as files, for any server that can send files.
import type { ApiDescription } from '../../extend.ts'
import type { DocsLook } from './look.ts'
import type { Renderer } from './renderer.ts'
import { createDocsSite } from './docs-site.ts'

/** One file of the static documentation. */
export interface StaticFile {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly content: Uint8Array
}

/** Options of the static documentation. */
export interface StaticDocsOptions extends DocsLook {
  /**
   * Where the API is, such as `https://api.example.com`.
   * @default the server that the files come from
   */
  readonly server?: string
  /**
   * The program that shows the documents, such as `swaggerUi()` of `edict/docs/swagger-ui`.
   * @default Scalar
   */
  readonly renderer?: Renderer
}

/** Returns the documentation of an application as files, which work under any URL. */
export async function* staticDocs(api: ApiDescription, options: StaticDocsOptions = {}): AsyncGenerator<StaticFile> {
  const site = createDocsSite(api, options)
  for (const path of ['index.html', ...site.files]) {
    const asset = await (path === 'index.html' ? site.page('') : site.file(path))
    yield { path, content: (await asset?.plain()) ?? new Uint8Array() }
  }
}
