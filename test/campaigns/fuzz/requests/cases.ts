// Requests drawn from declarations: right ones, and ones with a single flaw of which it is known where it is.
import { type PayloadSpec, takesForms } from '../declarations/api.ts'
import { type Built, ORDER, type Served } from '../declarations/build.ts'
import { type Sample, sampleOf } from '../declarations/paths.ts'
import { badScalar, type Flaw, goodScalar, isSentFile, type SentFile } from '../declarations/scalars.ts'
import { type Fields, formOf, hasFiles, type Shape } from '../declarations/shape.ts'
import type { Draw } from '../draw.ts'
import type { Sent } from '../transports.ts'
import { type Body, headerText, jsonBody, multipartBody, pairsOfAll, queryText } from './encode.ts'
import { flawedFields, flawedInput, initialOf, structOf, validFields, validInput } from './inputs.ts'

/** A request with what a controller must see of it. */
export interface Case {
  readonly served: Served
  readonly sent: Sent
  readonly sample: Sample
  /** The path below the base path, as the simple matcher reads it, with its version if that is in the path. */
  readonly flat: string
  readonly expected: { readonly params: unknown; readonly headers: unknown; readonly payload: unknown }
  /** Where the request is wrong, if it is. */
  readonly flaw?: Flaw & { readonly in: 'params' | 'headers' | 'payload' }
}

/** The parts of a request before they are written. */
interface Parts {
  query: Record<string, unknown>
  captures: Record<string, string>
  headers: Record<string, unknown>
  body: Body | undefined
  params: Record<string, unknown>
  loadedHeaders: unknown
  payload: unknown
}

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0

// At the top of a query, nothing sent is a structure with nothing in it.
function topLevel(
  fields: Fields,
  source: 'query' | 'header',
  draw: Draw,
): { raw: Record<string, unknown>; loaded: Record<string, unknown> } {
  return isEmpty(fields) ? { raw: {}, loaded: {} } : (validFields(fields, source, draw, true) as never)
}

function validParts(served: Served, draw: Draw): Parts {
  const { action, captures } = served
  const query = topLevel(action.params, 'query', draw)
  const headers = topLevel(action.headers, 'header', draw)
  const parts: Parts = {
    query: query.raw,
    captures: {},
    headers: headers.raw,
    body: undefined,
    params: query.loaded,
    loadedHeaders: headers.loaded,
    payload: undefined,
  }
  for (const [name, shape] of Object.entries(captures)) {
    const { raw, loaded } = goodScalar(shape as never, 'path', draw)
    parts.captures[name] = raw as string
    parts.params[name] = loaded
  }
  if (action.payload !== undefined) Object.assign(parts, validBody(action.payload, draw))
  return parts
}

/** A payload as one shape. */
const shapeOf = (payload: PayloadSpec): Shape => (payload.form === 'fields' ? structOf(payload.fields) : payload.shape)

function validBody(payload: PayloadSpec, draw: Draw): { body: Body | undefined; payload: unknown } {
  const shape = shapeOf(payload)
  const form = formOf(shape)
  if (form === 'file') return fileBody(shape, draw)
  if (form !== 'structure' && shape.required !== true && draw.chance(0.1))
    return { body: undefined, payload: shape.initial === undefined ? undefined : initialOf(shape) }
  if (payload.form === 'fields' && hasFiles(payload.fields)) {
    const { raw, loaded } = validInput(shape, 'query', draw)
    return { body: multipartBody(pairsOfAll(raw, draw)), payload: loaded }
  }
  const way = bodyWay(payload, form, draw)
  if (way === 'json') {
    const { raw, loaded } = validInput(shape, 'json', draw)
    return { body: jsonBody(raw, draw), payload: loaded }
  }
  const { raw, loaded } = validInput({ ...shape, nullable: false } as Shape, 'query', draw)
  if (way === 'text') return textBody(String(raw), loaded, draw)
  const pairs = pairsOfAll(raw, draw)
  return { body: way === 'form' ? formBody(queryText(pairs, draw)) : multipartBody(pairs), payload: loaded }
}

function bodyWay(payload: PayloadSpec, form: string, draw: Draw): 'json' | 'form' | 'multipart' | 'text' {
  if (takesForms(payload)) return draw.pick(['json', 'json', 'form', 'multipart'])
  return form === 'text' ? draw.pick(['json', 'text']) : 'json'
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const formBody = (text: string): Body => ({ type: 'application/x-www-form-urlencoded', bytes: bytesOf(text) })

// A text of no bytes is no body at all.
function textBody(raw: string, loaded: unknown, draw: Draw): { body: Body | undefined; payload: unknown } {
  if (raw === '') return { body: jsonBody(raw, draw), payload: loaded }
  return {
    body: { type: draw.pick(['text/plain', 'text/markdown; charset=UTF-8']), bytes: bytesOf(raw) },
    payload: loaded,
  }
}

function fileBody(shape: Shape, draw: Draw): { body: Body | undefined; payload: unknown } {
  if (shape.required !== true && draw.chance(0.2)) return { body: undefined, payload: undefined }
  const file: SentFile = {
    '~sent': true,
    name: '',
    type: draw.pick(['image/png', 'application/json', 'text/x-fuzz']),
    text: `${draw.text(7, 'json')}!`,
  }
  return { body: { type: file.type, bytes: bytesOf(file.text) }, payload: file }
}

/** Draws a request to a route that must be accepted. */
export function validCase(target: Target, draw: Draw): Case {
  return caseOf(target, validParts(target.served, draw), draw)
}

/** A route of a built application, and the header that tells requests apart. */
interface Target {
  readonly built: Built
  readonly served: Served
  readonly order: string
}

function caseOf({ built, served, order }: Target, parts: Parts, draw: Draw): Case {
  const { spec } = built
  const { action, endpoint, route } = served
  const sample = sampleOf(served.path, (name) => parts.captures[name] as string, draw)
  const params = { ...parts.params }
  for (const name of Object.keys(served.captures)) if (!Object.hasOwn(sample.captured, name)) delete params[name]
  // The value of a wildcard was drawn with the path.
  for (const [name, value] of Object.entries(sample.captured)) if (name.startsWith('rest')) params[name] = value
  if (sample.splat.length > 0) params['splat'] = sample.splat
  const headers: Record<string, string> = { [ORDER]: order }
  for (const [name, raw] of Object.entries(parts.headers)) headers[name] = headerText(raw, draw)
  const { version } = endpoint
  const carrier = version === undefined ? undefined : draw.pick(spec.carriers)
  if (carrier === 'header') headers['X-Api-Version'] = version as string
  const pairs = pairsOfAll(parts.query, draw)
  if (carrier === 'query') pairs.push(['api_version', version as string])
  if (action.ignores && draw.chance(0.3)) pairs.push(['utm_source', 'x'])
  const query = queryText(pairs, draw)
  const prefix = carrier === 'path' ? `/v${encodeURIComponent(version as string)}` : ''
  if (parts.body !== undefined) headers['Content-Type'] = parts.body.type
  const verb = route.verb === 'any' ? draw.pick(['post', 'put', 'patch', 'delete']) : route.verb
  return {
    served,
    sample,
    flat: (prefix === '' ? '' : `/v${version}`) + sample.flat,
    sent: {
      method: verb.toUpperCase(),
      url: `${spec.basePath}${prefix}${sample.text}${query === '' ? '' : `?${query}`}`,
      headers,
      body: parts.body?.bytes,
    },
    expected: { params, headers: parts.loadedHeaders, payload: parts.payload },
  }
}

/** Draws a request to a route with one flaw in its values; undefined when the drawn place cannot have one. */
export function flawedCase(target: Target, draw: Draw): Case | undefined {
  const { served } = target
  const parts = validParts(served, draw)
  const { action } = served
  const places = [
    ...Object.keys(served.captures).map(() => 'path' as const),
    'query' as const,
    ...(isEmpty(action.headers) ? [] : ['header' as const]),
    ...(action.payload === undefined ? [] : (['body', 'body', 'body'] as const)),
  ]
  const place = draw.pick(places)
  if (place === 'path') return flawedPath(target, parts, draw)
  if (place === 'body') return flawedBody(target, parts, draw)
  const flaw = place === 'query' ? flawedQuery(action.params, draw) : flawedHeaders(action.headers, draw)
  if (flaw === undefined) return undefined
  if (place === 'query') parts.query = flaw.raw as Record<string, unknown>
  else parts.headers = flaw.raw as Record<string, unknown>
  const made = caseOf(target, parts, draw)
  return { ...made, flaw: { ...flaw, in: place === 'query' ? 'params' : 'headers' } }
}

const UNKNOWN: Flaw = { raw: { undeclared: 'x' }, pointer: '/undeclared', codes: ['unknown'] }

const flawedQuery = (fields: Fields, draw: Draw): Flaw | undefined =>
  isEmpty(fields) ? UNKNOWN : flawedFields(fields, 'query', draw)

function flawedHeaders(fields: Fields, draw: Draw): Flaw | undefined {
  const flaw = flawedFields(fields, 'header', draw)
  // Headers that are not declared are left alone.
  return flaw?.codes.includes('unknown') ? undefined : flaw
}

function flawedPath(target: Target, parts: Parts, draw: Draw): Case | undefined {
  const { served } = target
  const name = draw.pick(Object.keys(served.captures))
  const shape = served.captures[name] as Shape
  const flaw = badScalar(shape as never, 'path', draw)
  // A value between other texts might be read as a part of them.
  if (flaw === undefined || !/^\w+$/.test(String(flaw.raw))) return undefined
  parts.captures[name] = String(flaw.raw)
  const made = caseOf(target, parts, draw)
  if (!Object.hasOwn(made.sample.captured, name) || name.startsWith('rest')) return undefined
  return { ...made, flaw: { ...flaw, pointer: `/${name}`, in: 'params' } }
}

function flawedBody(target: Target, parts: Parts, draw: Draw): Case | undefined {
  const { served } = target
  const payload = served.action.payload as PayloadSpec
  const shape = shapeOf(payload)
  const form = formOf(shape)
  if (form === 'file') return undefined
  const files = payload.form === 'fields' && hasFiles(payload.fields)
  const asForm = files || (takesForms(payload) && draw.chance(0.3))
  const flaw = asForm ? flawedFields(fieldsIn(shape), 'query', draw) : flawedInput(shape, 'json', draw)
  if (flaw === undefined) return undefined
  const pairs = asForm ? pairsOfAll(flaw.raw, draw) : []
  const asMultipart = files || draw.chance(0.5)
  const written = asMultipart ? () => multipartBody(pairs) : () => formBody(queryText(pairs, draw))
  parts.body = asForm ? written() : jsonBody(flaw.raw, draw)
  if (asForm && pairs.some(([, value]) => isSentFile(value)) && !asMultipart) return undefined
  return { ...caseOf(target, parts, draw), flaw: { ...flaw, in: 'payload' } }
}

const TREE: Fields = { label: { kind: 'string', required: true, max: 20 } }

function fieldsIn(shape: Shape): Fields {
  if (shape.kind === 'struct') return shape.fields
  if (shape.kind === 'ref') return fieldsIn(shape.of)
  if (shape.kind !== 'media') return TREE
  const { fields, views } = shape.media
  return shape.view === undefined
    ? fields
    : Object.fromEntries((views[shape.view] ?? []).map((name) => [name, fields[name] as Shape]))
}
