// The public application: the server of an API together with its Fetch entry and the security that it is declared with.
import { fetchHandler } from './adapters/fetch/handler.ts'
import type { AnyController, ControllerMark } from './design/controller.ts'
import { type Verifier, verifiersPlugin } from './security/index.ts'
import type { ApplicationOptions as ServerOptions } from './server/application-options.ts'
import { type Api, createServer } from './server/create-server.ts'
import { readProperty } from './util/describe-value.ts'
import { isSettings } from './util/setting-form.ts'

/** The options of an application. */
export interface ApplicationOptions<C = AnyController> extends ServerOptions<C> {
  /**
   * Verifiers of the security schemes that actions name, one for each scheme.
   * @default none
   * @see docs/guide/security.md
   */
  readonly verifiers?: readonly Verifier[]
}

/** An API, ready to be served by any adapter. */
export interface Application extends Api {
  /** Answers a web Request; for Bun, Deno, Workers and tests. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The options it was made with, for tools that make another application of the same declarations. */
  readonly '~options': ApplicationOptions
}

/** Makes an application of controllers and plugins; throws one DefinitionError with every mistake in the declarations. */
export function application(options: ApplicationOptions<ControllerMark>): Application {
  // Boot looks at the controllers that are given.
  const given = options as ApplicationOptions
  const server = createServer(isSettings(given) ? withSecurity(given) : given, fetchHandler)
  return Object.freeze({ ...server, fetch: fetchHandler(server), '~options': given })
}

// Security is a plugin like any other; one of its name that is registered takes its place.
function withSecurity(options: ApplicationOptions): ServerOptions {
  const { plugins = [] } = options
  const plugin = verifiersPlugin()
  const isReplaced = Array.isArray(plugins) && plugins.some((one) => readProperty(one, 'name') === plugin.name)
  return isReplaced || !Array.isArray(plugins) ? options : { ...options, plugins: [...plugins, plugin] }
}
