// Answers held to the documents of their application, as a strict proxy between client and server would do it.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ResponseObject } from '../../../src/openapi/types.ts'
import { type Answered, type Body, type Documents, STREAM } from './answered.ts'
import { type Place, Places, takesCaptures } from './places.ts'
import { type Check, checkOf, textCheckOf } from './schemas.ts'

/** In which way an answer does not fit its document. */
export type BreakKind = 'path' | 'status' | 'type' | 'body' | 'schema' | 'header'

/** One thing in which an answer does not fit its document. */
export interface Break {
  readonly kind: BreakKind
  /** The request line, the status, and what the document says against it. */
  readonly text: string
}

interface Found {
  readonly kind: BreakKind
  readonly text: string
}

/** Judges the answers of one application. */
export class Judge {
  readonly #places: Places
  readonly #failures: Place[]
  readonly #checks = new Map<object, Check>()

  constructor({ shown, hidden }: Documents) {
    const documents = [...shown, ...hidden]
    this.#places = new Places(documents)
    this.#failures = documents
      .flatMap((document) =>
        Object.entries(document.paths).flatMap(([path, item]) =>
          Object.values(item).map((operation) => ({ document, path, operation, captures: {}, isAssumed: false })),
        ),
      )
      .slice(0, 1)
  }

  /** Everything in which an answer does not fit. */
  breaksOf(answered: Answered): Break[] {
    return this.#found(answered).map(({ kind, text }) => ({
      kind,
      text: `${answered.method} ${answered.url} -> ${answered.status}: ${text}`,
    }))
  }

  #found(answered: Answered): Found[] {
    let first: Found[] | undefined
    for (const place of this.#places.find(answered, 'strict')) {
      const found = this.#fit(place, answered)
      if (found.length === 0) return []
      if (takesCaptures(place) && !place.isAssumed) return first ?? found
      first ??= found
    }
    const own = this.#own(answered)
    if (own.length === 0) return []
    const loose = this.#places.find(answered, 'loose').map((place) => this.#fit(place, answered))
    return loose.some((found) => found.length === 0) ? [] : (first ?? loose[0] ?? own)
  }

  // Judges an answer where the documents have no operation.
  #own(answered: Answered): Found[] {
    const { method, status } = answered
    const { headers, body } = received(answered)
    const allow = headers.get('allow')
    if (method === 'OPTIONS' && status === 204)
      return allow === undefined || body !== null ? [{ kind: 'header', text: 'OPTIONS without Allow' }] : []
    if (!MISSES.has(status)) return [{ kind: 'path', text: 'the document has no such path and verb' }]
    if (status === 405 && allow === undefined) return [{ kind: 'header', text: '405 without Allow' }]
    const [place] = this.#failures
    const failure = place?.operation.responses['default']
    return place === undefined || failure === undefined ? [] : this.#fitResponse(place, 'default', failure, answered)
  }

  #fit(place: Place, answered: Answered): Found[] {
    const { responses } = place.operation
    const { status } = answered
    const known = Object.hasOwn(responses, status) ? String(status) : 'default'
    const response = responses[known]
    if (response === undefined || (known === 'default' && status < 400)) {
      const list = Object.keys(responses).join(', ')
      return [{ kind: 'status', text: `${nameOf(place)} has no response ${status}, only ${list}` }]
    }
    return this.#fitResponse(place, known, response, answered)
  }

  #fitResponse(place: Place, known: string, response: ResponseObject, answered: Answered): Found[] {
    const { headers, body } = received(answered)
    const where = `${nameOf(place)} response ${known}`
    const found: Found[] = headerBreaks(place, response, headers).map((text) => ({
      kind: 'header',
      text: `${where}: ${text}`,
    }))
    const type = headers.get('content-type')
    const content = Object.keys(response.content ?? {})
    const say = (kind: BreakKind, text: string): Found[] => [...found, { kind, text: `${where}: ${text}` }]
    if (content.length === 0) {
      // A type without a body says what a body would be; there is none.
      const empty = body === null || (body !== STREAM && body.length === 0)
      return empty
        ? found
        : say('body', `no body is declared, but there is one of ${type ?? 'no type'}: ${shown(body)}`)
    }
    if (body === null && !isBodyless(answered))
      return say('body', `a body of ${content.join(' or ')} is declared, but there is none`)
    if (type === undefined) return body === null ? found : say('type', `the body has no Content-Type`)
    const declared = typeFor(content, type)
    if (declared === undefined)
      return say('type', `the Content-Type is ${type}, but ${content.join(' or ')} is declared`)
    if (body === null || body === STREAM) return found
    const plain = decoded(body, headers.get('content-encoding'))
    if (plain === undefined) return found
    const problem = this.#bodyProblem(place, response.content?.[declared], type, plain)
    return problem === undefined ? found : say('schema', `the body as ${declared}: ${problem}; it is ${shown(body)}`)
  }

  #bodyProblem(
    { document }: Place,
    object: NonNullable<ResponseObject['content']>[string] | undefined,
    type: string,
    body: string | Uint8Array,
  ): string | undefined {
    const json = /^[^;]*[/+]json\s*(?:;|$)/i.test(type)
    if (object === undefined || (object.schema === undefined && !json)) return undefined
    const text = typeof body === 'string' ? body : Buffer.from(body).toString()
    let value: unknown = text
    const lines = /^application\/(?:x-ndjson|jsonl|json-seq)\b/i.test(type)
    if (json || lines) {
      try {
        value = lines
          ? text
              .split('\n')
              .slice(0, -1)
              .map((line) => JSON.parse(line.replace('\x1e', '')))
          : JSON.parse(text)
      } catch (error) {
        return `it is no JSON: ${(error as Error).message}`
      }
    }
    if (object.schema === undefined) return undefined
    let check = this.#checks.get(object)
    if (check === undefined) {
      check = checkOf(document, object.schema)
      this.#checks.set(object, check)
    }
    return check(value)
  }
}

// No such path, no such verb or version, and a path that cannot be read.
const MISSES: ReadonlySet<number> = new Set([400, 404, 405])

const isBodyless = ({ method, status }: Answered): boolean =>
  method === 'HEAD' || status === 204 || status === 205 || status === 304

/** A body without its coding; undefined where that is unknown here. */
function decoded(body: string | Uint8Array, coding = 'identity'): string | Uint8Array | undefined {
  if (coding === 'identity') return body
  if (coding === 'gzip') return gunzipSync(body)
  return coding === 'br' ? brotliDecompressSync(body) : undefined
}

interface Received {
  readonly headers: ReadonlyMap<string, string>
  readonly body: Body
}

// As it arrives: adapters leave out bodies that there must not be.
function received(answered: Answered): Received {
  const headers = new Map<string, string>()
  for (let i = 0; i < answered.headers.length; i += 2) {
    const [name, value] = [(answered.headers[i] as string).toLowerCase(), answered.headers[i + 1] as string]
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { headers, body: isBodyless(answered) ? null : answered.body }
}

const nameOf = ({ path, operation, document }: Place): string =>
  `${operation.operationId} (${path}, ${document.info.version})`

function headerBreaks({ document }: Place, { headers = {} }: ResponseObject, came: Received['headers']): string[] {
  return Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = came.get(name.toLowerCase())
    if (value === undefined) return required === true ? [`the header ${name} is missing`] : []
    const problem = textCheckOf(document, schema)(value)
    return problem === undefined ? [] : [`the header ${name} is ${JSON.stringify(value)}:${problem}`]
  })
}

/** The declared type that a content type is one of; parameters count only where they are declared. */
function typeFor(declared: readonly string[], type: string): string | undefined {
  const [essence, ...params] = partsOf(type)
  return declared.find((one) => {
    const [wanted, ...needed] = partsOf(one)
    return wanted === essence && needed.every((param) => params.includes(param))
  })
}

const partsOf = (type: string): string[] => type.split(';').map((part) => part.trim().toLowerCase())

function shown(body: Body): string {
  if (body === STREAM) return 'a stream'
  if (body === null) return 'nothing'
  const text = typeof body === 'string' ? body : Buffer.from(body.subarray(0, 300)).toString()
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
