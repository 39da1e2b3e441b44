// A load generator on raw sockets: some keep-alive connections, each sending its next request when the answer is complete.
import { connect } from 'node:net'

/** @typedef {import('./workload.js').Ask} Ask */

/**
 * @typedef {object} Loading
 * @property {number} port
 * @property {Ask[]} asks What each connection sends in turn, and the status of the answer.
 * @property {number} count
 * @property {number} connections
 */

/**
 * How long a run took, and each answer in milliseconds, the shortest first.
 * @typedef {{ seconds: number, latencies: Float64Array }} Loaded
 */

/**
 * Sends requests over connections that are opened for them.
 * @param {Loading} loading
 * @returns {Promise<Loaded>}
 */
export async function load({ port, asks, count, connections }) {
  const lines = await Lines.open(port, Math.min(connections, count))
  try {
    return await lines.run(asks, count)
  } finally {
    lines.close()
  }
}

/** Connections that are kept for several runs. */
export class Lines {
  #all

  /** @param {Line[]} all */
  constructor(all) {
    this.#all = all
  }

  /**
   * @param {number} port
   * @param {number} count
   */
  static async open(port, count) {
    return new Lines(await Promise.all(Array.from({ length: count }, (_, i) => Line.open(port, i))))
  }

  /**
   * Sends so many requests, each connection its next one when its answer is complete.
   * @param {Ask[]} asks
   * @param {number} count
   * @returns {Promise<Loaded>}
   */
  async run(asks, count) {
    const latencies = new Float64Array(count)
    const started = performance.now()
    let sent = 0
    let done = 0
    const left = () => sent++ < count
    const answered = (/** @type {number} */ millis) => {
      latencies[done++] = millis
    }
    await Promise.all(this.#all.map((line) => line.talk({ asks, left, answered })))
    return { seconds: (performance.now() - started) / 1000, latencies: latencies.sort() }
  }

  close() {
    for (const line of this.#all) line.close()
  }
}

/**
 * The work of one connection: whether there is another request to send, and the callback for the time of an answer.
 * @typedef {{ asks: Ask[], left: () => boolean, answered: (millis: number) => void }} Talk
 */

/** One keep-alive connection. */
class Line {
  #reader = new AnswerReader()
  /** @type {import('node:net').Socket} */
  #socket
  /** @type {Talk | undefined} */
  #talk
  /** @type {Ask | undefined} */
  #asked
  #turn
  #from = 0
  #resolve = () => {}
  #reject = (/** @type {Error} */ _error) => {}

  /**
   * @param {number} port
   * @param {number} turn Connections begin with different requests, so that they do not all ask the same at a time.
   */
  constructor(port, turn) {
    this.#turn = turn
    // One buffer for all that arrives: the generator must not spend its time on garbage.
    const onread = { buffer: Buffer.allocUnsafe(65_536), callback: this.#receive.bind(this) }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    this.#socket.on('connect', () => this.#resolve())
    this.#socket.on('error', (error) => this.#reject(error))
    this.#socket.on('close', () => this.#reject(new Error('the connection was closed before the answer was complete')))
  }

  /**
   * @param {number} port
   * @param {number} turn
   * @returns {Promise<Line>}
   */
  static async open(port, turn) {
    const line = new Line(port, turn)
    await line.#settled()
    return line
  }

  /** @param {Talk} talk */
  talk(talk) {
    this.#talk = talk
    const settled = this.#settled()
    this.#next()
    return settled
  }

  close() {
    this.#reject = () => {}
    this.#socket.end()
  }

  #settled() {
    return new Promise((resolve, reject) => {
      this.#resolve = () => resolve(undefined)
      this.#reject = reject
    })
  }

  #next() {
    const { asks, left } = this.#talk
    if (!left()) return this.#resolve()
    this.#asked = asks[this.#turn++ % asks.length]
    this.#from = performance.now()
    this.#socket.write(this.#asked.request)
  }

  /** @param {number} size @param {Buffer} buffer */
  #receive(size, buffer) {
    const complete = this.#reader.take(buffer.subarray(0, size))
    if (complete && this.#reader.status === this.#asked.status) {
      this.#talk.answered(performance.now() - this.#from)
      this.#next()
    } else if (complete) this.#socket.destroy(new Error(`an answer had the status ${this.#reader.status}`))
    else if (this.#reader.fault !== '') this.#socket.destroy(new Error(this.#reader.fault))
    return true
  }
}

/**
 * Sends one request on a connection of its own.
 * @param {number} port
 * @param {Buffer} request
 * @returns {Promise<import('./workload.js').Answer>}
 */
export function once(port, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const reader = new AnswerReader()
    /** @type {Buffer[]} */
    const chunks = []
    socket.setTimeout(10_000, () => socket.destroy(new Error('no complete answer within ten seconds')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed before the answer was complete')))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (!reader.take(chunk)) return reader.fault && socket.destroy(new Error(reader.fault))
      resolve(answerOf(Buffer.concat(chunks), reader.status))
      socket.destroy()
    })
  })
}

/** Finds the end of each answer on a connection, whatever pieces it arrives in. */
class AnswerReader {
  status = 0
  /** The part of an answer that cannot be parsed, if any. */
  fault = ''
  /** Bytes that are not understood yet: of a head, or of an answer in chunks. */
  #pending = undefined
  /** How many bytes of a body of known length are missing. */
  #missing = 0

  /**
   * Takes what arrived, and says whether an answer is complete with it.
   * @param {Buffer} chunk
   */
  take(chunk) {
    if (this.#missing > 0) {
      this.#missing -= chunk.length
      return this.#ended()
    }
    const bytes = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk])
    const head = bytes.indexOf('\r\n\r\n')
    if (head < 0) return this.#wait(bytes)
    const text = bytes.latin1Slice(0, head)
    this.status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)
    if (length === null) return this.#chunked(bytes, head, text)
    this.#pending = undefined
    this.#missing = head + 4 + Number(length[1]) - bytes.length
    return this.#ended()
  }

  // The buffer that something arrived in is used again for what arrives next.
  /** @param {Buffer} bytes */
  #wait(bytes) {
    this.#pending = Buffer.from(bytes)
    return false
  }

  #ended() {
    if (this.#missing < 0) this.fault = 'more arrived than the answer has'
    return this.#missing === 0
  }

  /** @param {Buffer} bytes @param {number} head @param {string} text */
  #chunked(bytes, head, text) {
    if (!/\r\ntransfer-encoding: *chunked/i.test(text)) this.fault = 'the answer has neither Content-Length nor chunks'
    // The end of an answer in chunks is looked for only where it can be: at the end of what arrived.
    if (bytes.length < head + 9 || bytes.latin1Slice(bytes.length - 5) !== '0\r\n\r\n') return this.#wait(bytes)
    if (dechunk(bytes, head + 4) === undefined) return this.#wait(bytes)
    this.#pending = undefined
    return true
  }
}

/**
 * The pieces of a chunked body, or undefined while it is not complete.
 * @param {Buffer} bytes
 * @param {number} from
 */
function dechunk(bytes, from) {
  const pieces = []
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.latin1Slice(at, line), 16)
    if (size === 0) return pieces
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
    if (at >= bytes.length) return undefined
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} status
 */
function answerOf(bytes, status) {
  const head = bytes.indexOf('\r\n\r\n')
  const headers = bytes.latin1Slice(0, head + 2)
  const chunked = /\r\ntransfer-encoding: *chunked/i.test(headers)
  const body = chunked ? Buffer.concat(dechunk(bytes, head + 4) ?? []) : bytes.subarray(head + 4)
  return { status, headers, body: body.toString() }
}
