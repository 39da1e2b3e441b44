// The entry point edict/docs: the documentation browser.
export type { Asset } from './asset.ts'
export type { DocsColor, DocsColors, DocsLook, Logo } from './look.ts'
export { type DocsOptions, docs } from './plugin.ts'
export type { Renderer } from './renderer.ts'
export { type StaticDocsOptions, type StaticFile, staticDocs } from './static.ts'
