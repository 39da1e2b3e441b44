// For Node processes that run the sources with tsx: test/support/guard/server.ts takes the place of src/server/create-server.ts, as
// vitest.config.ts does it for tests. Tests hand it to their processes in NODE_OPTIONS. The same file holds the hooks,
// which Node runs in a thread of their own.
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const server = new URL('../../../src/server/create-server.ts', import.meta.url).href
const guard = new URL('./server.ts', import.meta.url).href

if (isMainThread && process.execArgv.some((argument) => argument.includes('tsx'))) register(import.meta.url)

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const [url, query] = found.url.split('?')
  const [parent] = (context.parentURL ?? '').split('?')
  return url === server && parent !== guard
    ? { ...found, url: query === undefined ? guard : `${guard}?${query}` }
    : found
}
