// The public application: the server of an API together with its Fetch entry.
import { fetchHandler } from './adapters/fetch/handler.ts'
import { createServer, type Server } from './server/application.ts'
import type { ApplicationOptions } from './server/options.ts'

/** An API, ready to be served by any adapter. */
export interface Application extends Server {
  /** Answers a web Request; for Bun, Deno, Workers and tests. */
  readonly fetch: (request: Request) => Promise<Response>
  /** What it was made of, for tools that make another of the same declarations. */
  readonly '~options': ApplicationOptions
}

/** Puts controllers and plugins together; throws one DefinitionError with every mistake of the declarations. */
export function application(options: ApplicationOptions): Application {
  const server = createServer(options)
  return Object.freeze({ ...server, fetch: fetchHandler(server), '~options': options })
}
