// The types of load.js, which runs without a loader.

interface Ask {
  readonly request: Buffer
  readonly status: number
}

/** Sends requests over connections that are opened for them; latencies are in milliseconds, the shortest first. */
export function load(loading: {
  readonly port: number
  readonly asks: readonly Ask[]
  readonly count: number
  readonly connections: number
}): Promise<{ seconds: number; latencies: Float64Array }>

/** Sends one request on a connection of its own; `headers` is the head of the response as it was sent. */
export function once(port: number, request: Buffer): Promise<{ status: number; headers: string; body: string }>
