// The options of `serve`, and their defaults: every limit is finite.
import type { ServerOptions } from 'node:http'
import { availableParallelism } from 'node:os'
import type { TlsOptions } from 'node:tls'
import type { Logger } from '../../server/logger.ts'
import type { AdmissionLimits } from './connection/admission-control.ts'
import { LeanRequest } from './message/lean-request.ts'
import { LeanResponse } from './message/lean-response.ts'

/** Timeouts, in milliseconds. */
export interface Timeouts {
  /**
   * Milliseconds for the headers of a request to arrive.
   * @default 10,000
   */
  readonly headers?: number
  /**
   * Milliseconds for a complete request with its body to arrive; raise it for large uploads.
   * @default 60,000
   */
  readonly request?: number
  /**
   * Milliseconds in which a client must read some part of a waiting response; 0 for no limit. Idle streams do not count.
   * @default 120,000
   */
  readonly response?: number
  /**
   * Milliseconds for which an idle connection is kept; longer than with common load balancers.
   * @default 65,000
   */
  readonly keepAlive?: number
  /**
   * Milliseconds after which draining ends and the remaining connections are cut.
   * @default 10,000
   */
  readonly drain?: number
}

/** The options of `serve`. */
export interface ServeOptions {
  /**
   * The port to listen on; 0 takes a free one.
   * @default `PORT` of the environment, else 3000
   */
  readonly port?: number
  /**
   * The address to listen on.
   * @default every interface, since a container is not reachable on its loopback
   */
  readonly host?: string
  /**
   * The length of the system's queue of new connections.
   * @default 511
   */
  readonly backlog?: number
  /**
   * The number of processes that serve the port; `'auto'` means one for each CPU.
   * @default 1, the current process
   * @see docs/guide/serving.md#workers
   */
  readonly workers?: number | 'auto'
  /**
   * The logger of the server.
   * @default the logger of the application
   */
  readonly logger?: Logger
  /**
   * Whether SIGTERM and SIGINT drain the server and end the process, a second signal at once; with workers, SIGUSR2 and
   * SIGHUP replace them one by one.
   * @default `true`
   * @see docs/guide/operations.md
   */
  readonly signals?: boolean
  /**
   * The handling of an uncaught error: `'log'` logs it, and the process continues; `true` also drains the server and
   * ends the process with code 1; `false` leaves it to you.
   * @default `'log'`
   * @see docs/guide/operations.md
   */
  readonly fatal?: boolean | 'log'
  readonly timeouts?: Timeouts
  /**
   * The largest size in bytes of all headers of a request, its path and query included.
   * @default 16 KiB
   */
  readonly maxHeaderSize?: number
  /**
   * The most requests in progress in one process; further ones get 503 at once. 0 for no limit.
   * @default 1,000
   * @see docs/guide/operations.md#overload
   */
  readonly maxRequests?: number
  /**
   * The most requests of one connection that wait for their responses; further ones get 503. 0 for no limit.
   * @default 100
   */
  readonly maxPipelined?: number
  /**
   * The most bytes of arriving bodies, of all requests together; above it, the body that has been arriving longest gets
   * 503. 0 for no limit.
   * @default 64 MiB
   * @see docs/guide/operations.md#overload
   */
  readonly maxReceiving?: number
  /**
   * The most open connections of one process; further ones are closed at once. 0 for no limit.
   * @default 10,000
   * @see docs/guide/operations.md#overload
   */
  readonly maxConnections?: number
  /**
   * The greatest event loop delay in milliseconds; above it, requests get 503. 0 for no limit.
   * @default 0
   * @see docs/guide/operations.md#overload
   */
  readonly maxDelay?: number
  /** Runs in each process after every connection has ended: close pools and flush logs in it. */
  readonly onClose?: () => unknown
  /**
   * Serves HTTPS with these options of `tls.createServer`, such as `key` and `cert`; clients choose HTTP/2 or HTTP/1.1.
   * @default plain HTTP/1.1
   * @see docs/guide/tls.md
   */
  readonly tls?: SecureOptions
  /** Further options of `http.createServer`. */
  readonly http?: Omit<ServerOptions, 'insecureHTTPParser' | 'requireHostHeader' | 'maxHeaderSize' | TimeoutOption>
}

/** Options of `tls.createServer`; the server itself sets the HTTP versions. */
export interface SecureOptions extends Omit<TlsOptions, 'ALPNProtocols' | 'ALPNCallback' | 'handshakeTimeout'> {
  /**
   * Whether clients may choose HTTP/2.
   * @default `true`
   */
  readonly http2?: boolean
}

type TimeoutOption = 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'

/** The default milliseconds that draining may take. */
export const defaultDrain = 10_000

/** The default size limit of all headers, in bytes. */
export const defaultHeaderSize: number = 16 * 1024

/** Returns the timeouts, with their defaults. */
export function resolveTimeouts({ timeouts = {} }: ServeOptions): Required<Timeouts> {
  const { request = 60_000, headers = Math.min(10_000, request || 10_000), keepAlive = 65_000 } = timeouts
  const { response = 120_000, drain = defaultDrain } = timeouts
  return { request, headers, keepAlive, response, drain }
}

/** Returns the options of `http.createServer` for the options of `serve`. */
export function buildHttpOptions(options: ServeOptions): ServerOptions {
  const { http, maxHeaderSize = defaultHeaderSize } = options
  const { request, headers, keepAlive } = resolveTimeouts(options)
  const shortest = Math.min(headers || request, request || headers)
  return {
    IncomingMessage: LeanRequest,
    ServerResponse: LeanResponse,
    ...http,
    // Node reads a head up to twice the limit, so that plugins see the request whose head is rejected.
    maxHeaderSize: 2 * maxHeaderSize,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    // Node checks for late requests every 30 seconds by default, longer than the shorter limits.
    connectionsCheckingInterval: Math.min(5000, Math.max(50, Math.floor(shortest / 4))),
    // A lenient parser permits request smuggling.
    insecureHTTPParser: false,
    // The listener checks Host itself: Node would respond without a body, and accepts two Host headers.
    requireHostHeader: false,
  }
}

/** Returns the port to listen on; throws if it is not a valid port. */
export function resolvePort({ port }: ServeOptions, environment: string | undefined = process.env.PORT): number {
  const chosen = port ?? (environment === undefined || environment === '' ? 3000 : Number(environment))
  if (Number.isInteger(chosen) && chosen >= 0 && chosen <= 65_535) return chosen
  throw new TypeError(`${port ?? `PORT=${environment}`} is not a port: give a number from 0 to 65535`)
}

/** Returns the number of worker processes; throws if it is not a positive integer. */
export function resolveWorkerCount({ workers = 1 }: ServeOptions): number {
  const count = workers === 'auto' ? availableParallelism() : workers
  if (Number.isInteger(count) && count >= 1) return count
  throw new TypeError(`workers: ${workers} is not a number of processes: give 1 or more, or 'auto'`)
}

/** Returns the limits of concurrent work of a process; throws if one is not a number. */
export function resolveAdmissionLimits(options: ServeOptions): AdmissionLimits {
  const { maxRequests = 1000, maxPipelined = 100, maxReceiving = 64 * 1024 * 1024, maxDelay = 0 } = options
  for (const [name, value] of Object.entries({ maxRequests, maxPipelined, maxReceiving, maxDelay })) {
    if (!(value >= 0)) throw new TypeError(`${name}: ${value} is not a limit: give a number, or 0 for none`)
  }
  return { requests: maxRequests, delay: maxDelay, pipelined: maxPipelined, bodies: maxReceiving }
}
