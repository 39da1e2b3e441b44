// The page: a frame for a renderer with the list of documents, and the policy that browsers hold it to.

import type { ApiServer } from '../../index.ts'
import { type DocsLook, renderPageHeader, buildStyleSheet } from './look.ts'

/** One document that the page offers. */
export interface ListedDocument {
  readonly title: string
  readonly slug: string
  /** Relative to the page. */
  readonly url: string
  /** The security schemes, together, that most of its operations accept first; readers may choose others. */
  readonly schemes: readonly string[]
}

/** The input of a page. */
export interface PageParts {
  readonly title: string
  readonly documents: readonly ListedDocument[]
  /** The scripts and style sheets in their order, relative to the page. */
  readonly scripts: readonly string[]
  readonly styles?: readonly string[]
  readonly look?: DocsLook
  /** The base path of the application. */
  readonly basePath?: string
  /** The path of the page as the application knows it. */
  readonly path?: string
  /** Where requests are tried, when that is another server than the page's. */
  readonly server?: string
  /** Further servers that readers may choose, without the base path. */
  readonly servers?: readonly ApiServer[]
}

/**
 * The policy of the page: scripts from its own server only, none inline and none made of text. Vue and Scalar write style
 * sheets and style attributes into the page; what descriptions contain reaches neither.
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

/** Writes the page. */
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
<noscript>This page needs JavaScript. The documents it shows: ${documents.map(renderLink).join(', ')}.</noscript>
<script type="application/json" id="settings">${settings}</script>
${scripts.map((script) => `<script src="${escapeHtml(script)}"></script>`).join('\n')}
</body>
</html>
`
}

const renderLink = ({ title, url }: ListedDocument): string => `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
