// An application on a real socket, for the length of one test.
import { type ApplicationOptions, application } from 'edict'
import { serve } from 'edict/node'

/** Serves an application, does something with its URL, and closes it. */
export async function served(
  options: Parameters<typeof application>[0] | ApplicationOptions,
  work: (url: string, app: ReturnType<typeof application>) => Promise<void>,
): Promise<void> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const app = application({ logger: quiet, ...options } as ApplicationOptions)
  const server = await serve(app, {
    port: 0,
    host: '127.0.0.1',
    signals: false,
    fatal: false,
    timeouts: { drain: 100 },
  })
  try {
    await work(server.url, app)
  } finally {
    await server.close()
  }
}
