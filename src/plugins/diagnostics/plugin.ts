// The plugin `diagnostics`: publishes the start and the end of every request.
import { type IncomingRequest, type Plugin, type RequestEnd, type RequestFacts, requestFacts } from '../../extend.ts'

/** The message of `edict:request:start`. */
export interface RequestStartMessage {
  /** The request. Its headers and URL may contain secrets; `redactedUrl` does not. */
  readonly request: IncomingRequest
}

/** The message of `edict:request:end`: the same request, and the facts of its log line. */
export interface RequestEndMessage extends RequestStartMessage {
  readonly ended: RequestEnd
  readonly facts: RequestFacts
}

interface DiagnosticsChannel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

interface ChannelModule {
  channel(name: string): DiagnosticsChannel
}

interface Platform {
  getBuiltinModule?(name: string): unknown
}

/** Publishes requests on the channels `edict:request:start` and `edict:request:end` of `node:diagnostics_channel`. */
export function diagnostics(): Plugin {
  const { process } = globalThis as { process?: Platform }
  // Some runtimes have no channels, and a bundle for them must not import the module.
  const channels = process?.getBuiltinModule?.('node:diagnostics_channel') as ChannelModule | undefined
  if (channels === undefined) return { name: 'diagnostics' }
  const start = channels.channel('edict:request:start')
  const end = channels.channel('edict:request:end')
  return {
    name: 'diagnostics',
    arrival(request) {
      if (start.hasSubscribers) start.publish({ request } satisfies RequestStartMessage)
    },
    end(request, ended) {
      if (!end.hasSubscribers) return
      end.publish({ request, ended, facts: requestFacts(request, ended) } satisfies RequestEndMessage)
    },
  }
}
