// The entry point edict/docs: the documentation browser.
export { type DocsOptions, docs } from './plugin.ts'
export { type StaticDocsOptions, type StaticFile, staticDocs } from './static.ts'
