// The environment of an application.

/** The environment of an application; failures show their details only outside production. */
export type Environment = 'development' | 'test' | 'production'

/** Globals that a runtime may have. */
interface Runtime {
  readonly process?: { readonly env?: Record<string, string | undefined> }
  readonly navigator?: { readonly userAgent?: string }
}

/** Returns the environment that NODE_ENV names; unset means development, a runtime without environment variables production. */
export function readEnvironment(): Environment {
  const { process, navigator } = globalThis as Runtime
  // Workers polyfill `process` without NODE_ENV.
  const onWorkers = navigator?.userAgent === 'Cloudflare-Workers'
  const named = process?.env === undefined ? 'production' : (readNodeEnv(process.env) ?? (onWorkers ? 'production' : ''))
  if (named === '' || named === 'development') return 'development'
  // Unknown values such as `staging` or a typo count as production, so they never reveal more.
  return named === 'test' ? 'test' : 'production'
}

function readNodeEnv(env: Record<string, string | undefined>): string | undefined {
  try {
    return env['NODE_ENV']
  } catch {
    // Deno refuses where the process may not read its environment.
    return 'production'
  }
}
