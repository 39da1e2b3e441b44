// Renders the page: a frame for the renderer with the list of documents, and its content security policy.

import type { ApiServer } from '../../index.ts'
import { buildStyleSheet, type DocsLook, renderPageHeader } from './look.ts'

/** A document of the page. */
export interface ListedDocument {
  readonly title: string
  /** The version that it describes; undefined in the document of endpoints without one. */
  readonly version?: string | undefined
  readonly slug: string
  /** Relative to the page. */
  readonly url: string
  /** The security schemes of the alternative that most of its operations list first; readers may choose others. */
  readonly schemes: readonly string[]
}

/** The data that a page is rendered from. */
export interface PageParts {
  readonly title: string
  readonly documents: readonly ListedDocument[]
  /** The scripts in their order, relative to the page. */
  readonly scripts: readonly string[]
  readonly styles?: readonly string[]
  readonly look?: DocsLook
  /** The base path of the application. */
  readonly basePath?: string
  /** The path of the page in the application. */
  readonly path?: string
  /** The server for requests of readers, if it is not that of the page. */
  readonly server?: string
  /** Additional servers that readers may choose, without the base path. */
  readonly servers?: readonly ApiServer[]
}

/**
 * Builds the content security policy of the page: scripts from its own server only, none inline, no eval. Inline styles
 * are allowed, because Vue and Scalar insert style sheets and style attributes; descriptions cannot reach them.
 */
export function buildContentSecurityPolicy({ server, servers = [] }: Pick<PageParts, 'server' | 'servers'>): string {
  const named = [...(server === undefined ? [] : [server]), ...servers.map(({ url }) => url)]
  const origins = [...new Set(named.map((url) => ` ${new URL(url).origin}`))].join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    `connect-src 'self'${origins}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Renders the page. */
export function renderPage(parts: PageParts): string {
  const { title, documents, scripts, styles = [], look = {}, path, server, servers, basePath = '' } = parts
  const { pages, favicon = 'data:,' } = look
  const settings = JSON.stringify({ documents, path, server, servers, basePath, pages }).replace(/</g, '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(buildContentSecurityPolicy(parts))}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(favicon)}">
${styles.map((style) => `<link rel="stylesheet" href="${escapeHtml(style)}">\n`).join('')}<style>${buildStyleSheet(look)}</style>
</head>
<body>
${renderPageHeader(look, title, escapeHtml)}<div id="documentation"></div>
<noscript>This page needs JavaScript. The documents it shows: ${documents.map(({ title, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`).join(', ')}.</noscript>
<script type="application/json" id="settings">${settings}</script>
${scripts.map((script) => `<script src="${escapeHtml(script)}"></script>`).join('\n')}
</body>
</html>
`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
