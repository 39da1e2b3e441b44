// The environment of an application.

/** The environment of an application; failures show their details only outside production. */
export type Environment = 'development' | 'test' | 'production'

/** The globals that a runtime may have. */
interface Runtime {
  readonly process?: { readonly env?: Record<string, string | undefined> }
  readonly navigator?: { readonly userAgent?: string }
}

/**
 * Returns the environment that NODE_ENV names: development if it is unset, production in a runtime without environment
 * variables.
 */
export function readEnvironment(): Environment {
  const { process, navigator } = globalThis as Runtime
  // Workers polyfill `process` without NODE_ENV.
  const onWorkers = navigator?.userAgent === 'Cloudflare-Workers'
  const value =
    process?.env === undefined ? 'production' : (readNodeEnv(process.env) ?? (onWorkers ? 'production' : ''))
  if (value === '' || value === 'development') return 'development'
  // Unknown values such as `staging` or a typo count as production, so that they never reveal more.
  return value === 'test' ? 'test' : 'production'
}

function readNodeEnv(env: Record<string, string | undefined>): string | undefined {
  try {
    return env['NODE_ENV']
  } catch {
    // Deno throws if the process lacks the permission to read its environment.
    return 'production'
  }
}
