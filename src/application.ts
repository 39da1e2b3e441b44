// The public application: the server of an API, its Fetch handler and its security verifiers.
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
  /** Handles a web Request; for Bun, Deno, Workers and tests. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The options of the application, for tools that create another application from the same declarations. */
  readonly '~options': ApplicationOptions
}

/**
 * Creates an application from controllers and plugins; throws one DefinitionError with every mistake in the
 * declarations.
 */
export function application(options: ApplicationOptions<ControllerMark>): Application {
  // Boot validates the controllers.
  const serverOptions = options as ApplicationOptions
  const server = createServer(isSettings(serverOptions) ? withSecurity(serverOptions) : serverOptions, fetchHandler)
  return Object.freeze({ ...server, fetch: fetchHandler(server), '~options': serverOptions })
}

// Security is a plugin like any other; a registered plugin of the same name replaces it.
function withSecurity(options: ApplicationOptions): ServerOptions {
  const { plugins = [] } = options
  const plugin = verifiersPlugin()
  const isReplaced = Array.isArray(plugins) && plugins.some((other) => readProperty(other, 'name') === plugin.name)
  return isReplaced || !Array.isArray(plugins) ? options : { ...options, plugins: [...plugins, plugin] }
}
