// The entry point edict/docs/swagger-ui: displays documents with Swagger UI, from the package swagger-ui-dist.
import { type Asset, createTextAsset } from './asset.ts'
import type { Renderer } from './renderer.ts'
import { sharedScript } from './shared-script.ts'

/** The options of Swagger UI. */
export interface SwaggerUiOptions {
  /**
   * The URL of a file or folder from which the package `swagger-ui-dist` is resolved.
   * @default the location of edict
   */
  readonly from?: string | URL
}

const PACKAGE = 'swagger-ui-dist'
const SCRIPT = 'swagger-ui.js'
const STYLE = 'swagger-ui.css'

/** Displays documents with Swagger UI; the package `swagger-ui-dist` must be installed. */
export function swaggerUi({ from = import.meta.url }: SwaggerUiOptions = {}): Renderer {
  const { readFile, resolvePath } = openPackage(from)
  const [script, style] = [resolvePath('swagger-ui-bundle.js'), resolvePath('swagger-ui.css')]
  const createLoader = (path: string, type: string) => async (): Promise<Asset> =>
    createTextAsset(`${type}; charset=utf-8`, (await readFile(path, 'utf8')).replace(SOURCE_MAP, ''))
  return Object.freeze({
    name: 'swagger-ui',
    files: { [SCRIPT]: createLoader(script, 'text/javascript'), [STYLE]: createLoader(style, 'text/css') },
    scripts: [SCRIPT],
    styles: [STYLE],
    start: START,
  })
}

// The source maps are not served, so the files must not refer to them.
const SOURCE_MAP = /(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/

interface PackageFiles {
  readonly readFile: (path: string, encoding: 'utf8') => Promise<string>
  /** Resolves the path of a file of the package. */
  readonly resolvePath: (file: string) => string
}

interface ModuleResolver {
  resolve(specifier: string): string
}

// Uses `getBuiltinModule`, because an import would exclude other runtimes.
function openPackage(from: string | URL): PackageFiles {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  const fs = process?.getBuiltinModule?.('node:fs/promises') as Pick<PackageFiles, 'readFile'> | undefined
  const module = process?.getBuiltinModule?.('node:module') as
    | { createRequire(path: string | URL): ModuleResolver }
    | undefined
  if (fs === undefined || module === undefined)
    throw new Error('swaggerUi() reads files, which this runtime does not have. Remedy: leave the renderer out.')
  const resolver = module.createRequire(from)
  return { readFile: fs.readFile, resolvePath: (file) => resolveFile(file, resolver) }
}

function resolveFile(file: string, resolver: ModuleResolver): string {
  try {
    return resolver.resolve(`${PACKAGE}/${file}`)
  } catch {
    throw new Error(`swaggerUi() does not find the package ${PACKAGE}. Remedy: npm install ${PACKAGE}.`)
  }
}

const START = `// Shows the documents that the page lists, one at a time.
(function () {
${sharedScript}
  var place = document.getElementById('documentation')
  if (settings.documents.length > 1) place.before(choice())
  show(settings.documents[0])

  function choice() {
    var label = document.createElement('label')
    label.textContent = 'Document: '
    label.style.cssText = 'display: block; max-width: 1460px; margin: 16px auto 0; padding: 0 20px; font: 14px sans-serif'
    var select = document.createElement('select')
    settings.documents.forEach(function (one, i) {
      select.add(new Option(one.title, String(i)))
    })
    select.addEventListener('change', function () {
      show(settings.documents[Number(select.value)])
    })
    label.append(select)
    return label
  }

  // Forms of Swagger UI are filled with examples and send them, so optional ones are removed.
  function empty(parameter) {
    if (!parameter.required) delete parameter.examples
  }

  // Links identify pages of prose by their headings.
  function name() {
    place.querySelectorAll('.info .description h1').forEach(function (heading) {
      var anchor = anchorOf(heading.textContent)
      if (anchors.indexOf(anchor) < 0) return
      heading.id = anchor
      if (fragment === anchor) heading.scrollIntoView()
    })
  }

  function show(one) {
    load(addressOf(one))
      .then(function (answer) {
        return answer.json()
      })
      .then(function (made) {
        Object.values(made.paths).forEach(function (item) {
          Object.values(item).forEach(function (operation) {
            operation.parameters.forEach(empty)
          })
        })
        SwaggerUIBundle({
          spec: made,
          domNode: place,
          deepLinking: true,
          // The page must not contact other servers.
          validatorUrl: null,
          onComplete: name,
        })
      })
  }
})()
`
