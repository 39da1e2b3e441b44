// The requests of workloads without a socket: what an adapter would give to the application, and what it answers.
import { workloads } from '../workloads.js'

const UNGUARDED = ['S8', 'S9', 'S15', 'S16', 'S17']

/** The workloads that are guarded: all but many routes, uploads, the mix, and two that are like others. */
export const guarded = workloads.filter(({ id }) => !UNGUARDED.includes(id))

/** A request that is in memory as a whole, made anew for each turn as an adapter does. */
class MemoryTransport {
  raw = null

  /** @param {Parts} parts */
  constructor(parts) {
    this.method = parts.method
    this.url = parts.url
    this.headers = parts.headers
    this.body = parts.body
  }

  get signal() {
    return new AbortController().signal
  }

  /** @param {number} _limit @param {(body: Uint8Array) => void} done */
  collect(_limit, done) {
    done(this.body)
  }

  async *pieces() {
    yield this.body
  }
}

/** @typedef {{ method: string, url: string, headers: Record<string, string>, body: Buffer }} Parts */

/** @typedef {import('../../dist/index.js').Application} Application */
/** @typedef {Parameters<Parameters<Application['handle']>[1]>[0]} Answer */

/**
 * Gives a function that asks an application for this workload once; the answer comes at once, or as a promise.
 * @param {Application} app
 * @param {import('../workload.js').Workload} workload
 * @returns {() => Answer | Promise<Answer>}
 */
export function asker(app, { asks: [{ request }] }) {
  const parts = partsOf(request)
  return () => {
    /** @type {Answer | undefined} */
    let given
    let give = (/** @type {Answer} */ answer) => {
      given = answer
    }
    app.handle(new MemoryTransport(parts), (answer) => give(answer))
    // A promise for each answer would be a good part of what a short answer costs.
    if (given !== undefined) return given
    return new Promise((resolve) => {
      give = resolve
    })
  }
}

/**
 * Says what is wrong with the application's answer to a workload, if anything.
 * @param {Application} app
 * @param {import('../workload.js').Workload} workload
 */
export async function faultOf(app, workload) {
  const { status, headers, body } = await asker(app, workload)()
  const [ask] = workload.asks
  if (status !== ask.status) return `the status is ${status} instead of ${ask.status}`
  const lines = headers.map((text, i) => (i % 2 === 0 ? `\r\n${text}: ` : text)).join('')
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return workload.check({ status, headers: `HTTP/1.1 ${status}${lines}\r\n`, body: text }, true)
}

/**
 * @param {Buffer} request
 * @returns {Parts}
 */
function partsOf(request) {
  const end = request.indexOf('\r\n\r\n')
  const [first, ...lines] = request.latin1Slice(0, end).split('\r\n')
  const [method, url] = first.split(' ')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { method, url, headers: Object.fromEntries(headers), body: request.subarray(end + 4) }
}
