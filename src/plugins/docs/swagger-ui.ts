// The entry point edict/docs/swagger-ui: documents shown with Swagger UI, from the package swagger-ui-dist.
import { type Asset, createTextAsset } from './asset.ts'
import { sharedScript } from './shared-script.ts'
import type { Renderer } from './renderer.ts'

/** Options of Swagger UI. */
export interface SwaggerUiOptions {
  /**
   * The URL of a file or folder from which the package `swagger-ui-dist` is found.
   * @default the place of edict
   */
  readonly from?: string | URL
}

const PACKAGE = 'swagger-ui-dist'
const SCRIPT = 'swagger-ui.js'
const STYLE = 'swagger-ui.css'

/** Shows documents with Swagger UI; the package `swagger-ui-dist` must be installed. */
export function swaggerUi({ from = import.meta.url }: SwaggerUiOptions = {}): Renderer {
  const { readFile, resolvePath: pathOf } = openPackage(from)
  const [script, style] = [pathOf('swagger-ui-bundle.js'), pathOf('swagger-ui.css')]
  const served = (path: string, type: string) => async (): Promise<Asset> =>
    createTextAsset(`${type}; charset=utf-8`, (await readFile(path, 'utf8')).replace(SOURCE_MAP, ''))
  return Object.freeze({
    name: 'swagger-ui',
    files: { [SCRIPT]: served(script, 'text/javascript'), [STYLE]: served(style, 'text/css') },
    scripts: [SCRIPT],
    styles: [STYLE],
    start: START,
  })
}

// The map is not served, so neither file may refer to it.
const SOURCE_MAP = /(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/

interface PackageFiles {
  readonly readFile: (path: string, encoding: 'utf8') => Promise<string>
  /** The path of a file of the package. */
  readonly resolvePath: (file: string) => string
}

interface ModuleResolver {
  resolve(specifier: string): string
}

// Asked of the process: an import would keep the plugin from other runtimes.
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

  // Its forms are filled with examples, and send whatever is in them.
  function empty(parameter) {
    if (!parameter.required) delete parameter.examples
  }

  // Links name pages of prose by their headings.
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
          // Nothing here may ask any other server.
          validatorUrl: null,
          onComplete: name,
        })
      })
  }
})()
`
