// Requests that a document describes, written from its examples alone as a client would.
import type { MediaTypeObject, OpenapiDocument, Operation, Parameter } from '../../../src/openapi/types.ts'

/** One operation at its place. */
export interface Located {
  readonly path: string
  readonly verb: string
  readonly operation: Operation
}

/** Every operation of a document. */
export const operationsOf = ({ paths }: OpenapiDocument): Located[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })),
  )

/** A request, ready to be sent. */
export interface Written {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | FormData | undefined
  /** The content type of the body, as the document names it. */
  readonly type: string | undefined
}

/**
 * Writes the requests of an operation: one for each content type, with everything that has an example or only what is
 * required. `known` has values for the path that something is found under.
 */
export function requestsOf(
  server: string,
  { path, verb, operation }: Located,
  which: 'all' | 'required',
  known: Readonly<Record<string, string>> = {},
): Written[] {
  const wanted = (operation.parameters ?? [])
    .map(asText)
    .filter((one) => one.required || (which === 'all' && 'example' in one))
  const at = (place: Parameter['in']): Parameter[] => wanted.filter((one) => one.in === place)
  const examples = new Map(at('path').map(({ name, example }) => [name, known[name] ?? String(example ?? 'x')]))
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(examples.get(name) ?? 'x'))
  const query = at('query').flatMap(({ name, example }) => pairs(name, example))
  const base = server === '/' ? '' : server
  const url = `${base}${filled}${query.length === 0 ? '' : `?${query.map(encoded).join('&')}`}`
  const headers = Object.fromEntries(at('header').map(({ name, example }) => [name, String(example)]))
  const method = verb.toUpperCase()
  const bodies = Object.entries(operation.requestBody?.content ?? {})
  if (bodies.length === 0 || method === 'GET' || method === 'HEAD')
    return [{ method, url, headers, body: undefined, type: undefined }]
  return bodies.flatMap(([type, object]) => {
    const body = bodyOf(type, object)
    return body === undefined ? [] : [{ method, url, headers: { ...headers, ...body.headers }, body: body.body, type }]
  })
}

// A parameter with content is sent as a text of it.
function asText(parameter: Parameter): Parameter {
  const example = parameter.content?.['application/json']?.example
  return example === undefined ? parameter : { ...parameter, example: JSON.stringify(example) }
}

const encoded = ([name, value]: readonly [string, string]): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

// Names in brackets for what is nested, a name for each element of a list of single values.
function pairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    const nested = value.some((one) => typeof one === 'object')
    return value.flatMap((one, i) => pairs(nested ? `${name}[${i}]` : name, one))
  }
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, one]) => pairs(`${name}[${key}]`, one))
}

function bodyOf(
  type: string,
  { example, encoding = {} }: MediaTypeObject,
): { readonly headers: Record<string, string>; readonly body: Written['body'] } | undefined {
  if (example === undefined) return undefined
  const named = type.replace('application/*+json', 'application/vnd.some+json').replace('text/*', 'text/plain')
  const headers = { 'content-type': named }
  if (/[/+]json$/.test(named)) return { headers, body: JSON.stringify(example) }
  const field = (name: string, value: unknown): [string, string][] =>
    encoding[name]?.contentType === 'application/json' ? [[name, JSON.stringify(value)]] : pairs(name, value)
  const fields = typeof example === 'object' ? Object.entries(example as object).flatMap(([k, v]) => field(k, v)) : []
  if (named === 'application/x-www-form-urlencoded') return { headers, body: fields.map(encoded).join('&') }
  if (named !== 'multipart/form-data') return { headers, body: String(example) }
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return { headers: {}, body: form }
}

/** Adds what the first way into an operation asks for. */
export function withCredentials(
  request: Written,
  { security }: Operation,
  { components }: OpenapiDocument,
  token = 'abc',
): Written {
  const [name] = Object.keys(security[0] ?? {})
  const scheme = (components.securitySchemes?.[name ?? ''] ?? {}) as Readonly<Record<string, string>>
  const sign = request.url.includes('?') ? '&' : '?'
  const header = (value: Record<string, string>): Written => ({ ...request, headers: { ...request.headers, ...value } })
  if (scheme['scheme'] === 'basic') return header({ authorization: `Basic ${btoa('user:password')}` })
  const prefix = scheme['type'] === 'http' ? scheme['scheme'] : 'Bearer'
  if (scheme['type'] !== 'apiKey') return name === undefined ? request : header({ authorization: `${prefix} ${token}` })
  if (scheme['in'] === 'query') return { ...request, url: `${request.url}${sign}${scheme['name']}=${token}` }
  if (scheme['in'] === 'cookie') return header({ cookie: `${scheme['name']}=${token}` })
  const isHeader = scheme['name'] === 'Authorization'
  return header({ [scheme['name'] as string]: isHeader ? `Bearer ${token}` : token })
}

/** Sends a request to an application. */
export const send = (
  app: { fetch(request: Request): Promise<Response> | Response },
  { method, url, headers, body }: Written,
): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`http://localhost${url}`, { method, headers, ...(body !== undefined && { body: body as BodyInit }) }),
    ),
  )
