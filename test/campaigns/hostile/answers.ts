// Reads the bytes that a server wrote as HTTP/1.1 answers, strictly: whatever else is there is a complaint.

/** One answer. */
export interface Answer {
  readonly status: number
  /** Names in lower case, in the order they came. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** The answers in a stream of bytes. */
export interface Reading {
  readonly answers: readonly Answer[]
  /** Statuses of the interim answers. */
  readonly interim: readonly number[]
  /** Set when the bytes are not HTTP. */
  readonly complaint?: string
  /** True when the bytes end within an answer. */
  readonly partial: boolean
}

interface Head {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly end: number
}
type Part<T> = T | 'more' | { readonly complaint: string }

const STATUS = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/

/** Reads all answers; `closed` says that nothing more will come, `head` that answers have no bodies. */
export function readAnswers(stream: Buffer, closed: boolean, head = false): Reading {
  const answers: Answer[] = []
  const interim: number[] = []
  let at = 0
  while (at < stream.length) {
    const found = headAt(stream, at)
    if (found === 'more') return { answers, interim, partial: true }
    if ('complaint' in found) return { answers, interim, partial: false, complaint: found.complaint }
    if (found.status < 200) {
      interim.push(found.status)
      at = found.end
      continue
    }
    const body = bodyAt(stream, found, closed, head)
    if (body === 'more') return { answers, interim, partial: true }
    if ('complaint' in body) return { answers, interim, partial: false, complaint: body.complaint }
    answers.push({ status: found.status, headers: found.headers, body: body.bytes })
    at = body.end
  }
  return { answers, interim, partial: false }
}

function headAt(stream: Buffer, at: number): Part<Head> {
  const blank = stream.indexOf('\r\n\r\n', at, 'latin1')
  if (blank < 0) {
    const start = stream.toString('latin1', at, at + 9)
    return 'HTTP/1.1 '.startsWith(start) ? 'more' : { complaint: `an answer begins with ${JSON.stringify(start)}` }
  }
  const [first = '', ...fields] = stream.toString('latin1', at, blank).split('\r\n')
  const status = STATUS.exec(first)
  if (status === null) return { complaint: `the status line is ${JSON.stringify(first)}` }
  const headers: (readonly [string, string])[] = []
  for (const field of fields) {
    const found = FIELD.exec(field)
    if (found === null) return { complaint: `a header line is ${JSON.stringify(field)}` }
    headers.push([(found[1] as string).toLowerCase(), found[2] as string])
  }
  return { status: Number(status[1]), headers, end: blank + 4 }
}

/** The values of a header of an answer. */
export const valuesOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string[] =>
  headers.filter(([one]) => one === name).map(([, value]) => value)

function bodyAt(
  stream: Buffer,
  head: Head,
  closed: boolean,
  bodiless: boolean,
): Part<{ readonly bytes: Buffer; readonly end: number }> {
  const { status, end } = head
  const lengths = valuesOf(head, 'content-length')
  const codings = valuesOf(head, 'transfer-encoding')
  if (lengths.length > 1) return { complaint: 'an answer has two lengths' }
  if (lengths.length > 0 && codings.length > 0) return { complaint: 'an answer has a length and a transfer coding' }
  if (bodiless || status === 204 || status === 304) return { bytes: Buffer.alloc(0), end }
  if (codings.length > 0) return chunksAt(stream, end)
  if (lengths.length === 0) return closed ? { bytes: stream.subarray(end), end: stream.length } : 'more'
  const length = /^\d+$/.test(lengths[0] as string) ? Number(lengths[0]) : Number.NaN
  if (Number.isNaN(length)) return { complaint: `the length is ${JSON.stringify(lengths[0])}` }
  if (stream.length < end + length) return 'more'
  return { bytes: stream.subarray(end, end + length), end: end + length }
}

function chunksAt(stream: Buffer, from: number): Part<{ readonly bytes: Buffer; readonly end: number }> {
  const chunks: Buffer[] = []
  for (let at = from; ; ) {
    const eol = stream.indexOf('\r\n', at, 'latin1')
    if (eol < 0) return 'more'
    const size = stream.toString('latin1', at, eol)
    if (!/^[0-9a-f]+$/i.test(size)) return { complaint: `the size of a chunk is ${JSON.stringify(size)}` }
    const length = Number.parseInt(size, 16)
    const end = eol + 2 + length
    if (stream.length < end + 2) return 'more'
    if (stream.toString('latin1', end, end + 2) !== '\r\n') return { complaint: 'a chunk is longer than it says' }
    if (length === 0) return { bytes: Buffer.concat(chunks), end: end + 2 }
    chunks.push(stream.subarray(eol + 2, end))
    at = end + 2
  }
}
