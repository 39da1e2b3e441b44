// Renderers: the scripts that display a document. Scalar is bundled with edict; others come from packages.

import { accessibilityScript } from './accessibility-script.ts'
import { type Asset, loadScalarAsset, scalarTag } from './asset.ts'
import { sharedScript } from './shared-script.ts'

/** A program that displays documents in the page: its files, and the script that starts it. */
export interface Renderer {
  readonly name: string
  /** The files by name, created on first request. Files whose names have a `-` and a digest never change. */
  readonly files: Readonly<Record<string, () => Promise<Asset>>>
  /** The names of its scripts, in their order. */
  readonly scripts: readonly string[]
  /** The names of its style sheets. */
  readonly styles: readonly string[]
  /** The script that starts it. It runs in browsers only. */
  readonly start: string
}

const SCALAR_FILE = `scalar-${scalarTag}.js`

/** Displays documents with Scalar. */
export const scalarRenderer: Renderer = Object.freeze({
  name: 'scalar',
  files: { [SCALAR_FILE]: loadScalarAsset },
  scripts: [SCALAR_FILE],
  styles: [],
  start: `// Shows the documents that the page lists.
(function () {
${sharedScript}
${accessibilityScript}
  // A link to a page of prose names no document; the first document contains it.
  if (anchors.indexOf(fragment) >= 0)
    history.replaceState(null, '', '#' + settings.documents[0].slug + '/description/' + fragment)

  Scalar.createApiReference('#documentation', {
    sources: settings.documents.map(function (one) {
      return {
        title: one.title,
        slug: one.slug,
        url: addressOf(one),
        authentication: { preferredSecurityScheme: one.schemes.length > 0 ? [one.schemes] : undefined },
        agent: { disabled: true },
      }
    }),
    customFetch: load,
    // Properties keep the order of their declaration.
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    // Downloads the original document, not the one that the page changes.
    documentDownloadType: 'direct',
    // The page must not contact other servers, nor offer to.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    proxyUrl: '',
  })
})()
`,
})
