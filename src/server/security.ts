// Security at run time: credentials are taken from a request and verified before anything else of it is looked at.
import type { ResolvedAction } from '../design/resolved.ts'
import type { ResolvedNeed, SecurityScheme } from '../design/security.ts'
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Run } from './exchange.ts'
import { FailureResponse } from './failures.ts'
import { type Asked, forbidden, type Verifier } from './verifier.ts'

interface Way {
  readonly read: (exchange: Exchange) => unknown
  readonly check: (credentials: unknown, asked: Asked) => unknown
  readonly scopes: readonly string[]
}

/** Makes the step that lets clients in; null when an action asks nothing of them. */
export function securityStep(
  needs: readonly ResolvedNeed[],
  verifiers: readonly Verifier[],
  realm: string,
): Run | null {
  const ways = needs.flatMap((need): Way[] => {
    const found = need === null ? undefined : verifiers.find(({ scheme }) => scheme === need.scheme)
    if (need === null || found === undefined) return []
    return [{ read: readerOf(need.scheme), check: found.check as Way['check'], scopes: need.scopes }]
  })
  if (needs.every((need) => need === null)) return null
  const repeated = needs.flatMap((need) => (need === null ? [] : [repetitionOf(need.scheme)]))
  const strangers = needs.includes(null)
  const challenge = challengeOf(needs, realm)
  return (exchange) =>
    // A proxy that passes the request on may have looked at the other one.
    repeated.some((isRepeated) => isRepeated(exchange))
      ? new FailureResponse({ code: 'repeated-credentials' })
      : enter(exchange, ways, 0, { strangers, challenge, tried: false, forbidden: false })
}

/**
 * What answers of an action say to caches when they may differ from caller to caller: nobody keeps them, unless the
 * action says otherwise; and whoever then keeps them tells callers apart.
 */
export function cacheHeaders({ security, headers }: ResolvedAction): string[] {
  const plain = Object.keys(headers).filter((name) => name.toLowerCase() === 'authorization')
  const schemes = security.flatMap((need) => (need === null ? [] : [need.scheme]))
  if (plain.length === 0 && schemes.length === 0) return []
  const carriers = new Set([...plain.map(() => AUTHORIZATION), ...schemes.flatMap((scheme) => carrierOf(scheme))])
  return ['Cache-Control', 'private, no-store', ...[...carriers].flatMap((name) => ['Vary', name])]
}

const AUTHORIZATION = 'Authorization'

// A key in the query is part of what caches go by already.
function carrierOf({ form }: SecurityScheme): string[] {
  if (form.type !== 'apiKey') return [AUTHORIZATION]
  if (form.in === 'query') return []
  return [form.in === 'cookie' ? 'Cookie' : form.name]
}

interface Door {
  readonly strangers: boolean
  readonly challenge: string
  /** Whether credentials were sent, and whether some were known but did not suffice. */
  readonly tried: boolean
  readonly forbidden: boolean
}

function enter(exchange: Exchange, ways: readonly Way[], from: number, door: Door): Outcome | Promise<Outcome> {
  for (let i = from; i < ways.length; i++) {
    const way = ways[i] as Way
    const credentials = way.read(exchange)
    if (credentials === undefined) continue
    const verdict = way.check(credentials, askedBy(exchange, way))
    const judge = (one: unknown): Outcome | Promise<Outcome> => {
      if (one !== undefined && one !== null && one !== forbidden) {
        exchange.context.principal = one
        return undefined
      }
      return enter(exchange, ways, i + 1, { ...door, tried: true, forbidden: door.forbidden || one === forbidden })
    }
    return isThenable(verdict) ? verdict.then(judge) : judge(verdict)
  }
  if (door.strangers && !door.tried) return undefined
  if (door.forbidden) return new FailureResponse({ code: 'forbidden' })
  return new FailureResponse({ code: 'unauthorized', headers: ['WWW-Authenticate', door.challenge] })
}

const askedBy = ({ request, transport, compiled }: Exchange, { scopes }: Way): Asked => ({
  scopes,
  url: request.url,
  headers: transport.headers,
  action: compiled.place,
})

function challengeOf(needs: readonly ResolvedNeed[], realm: string): string {
  const quoted = `realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
  const kinds = needs.flatMap((need) => {
    if (need === null) return []
    const { form } = need.scheme
    return form.type === 'apiKey' ? ['ApiKey'] : [form.type === 'http' && form.scheme === 'basic' ? 'Basic' : 'Bearer']
  })
  return [...new Set(kinds)].map((kind) => `${kind} ${quoted}`).join(', ')
}

// --- credentials -----------------------------------------------------------------------

function readerOf({ form }: SecurityScheme): Way['read'] {
  if (form.type === 'http' && form.scheme === 'basic') return basicCredentials
  if (form.type !== 'apiKey') return ({ transport }) => authorization(transport.headers['authorization'], 'bearer')
  const { name } = form
  if (form.in === 'header') {
    const lower = name.toLowerCase()
    return ({ transport }) => textOf(transport.headers[lower])
  }
  if (form.in === 'cookie') return (exchange) => textOf(cookiesOf(exchange, name)[0])
  return (exchange) => queriedOf(exchange, name)[0]
}

/** Makes the test for credentials that were sent more than once: which of them count, not everybody would agree. */
function repetitionOf({ form }: SecurityScheme): (exchange: Exchange) => boolean {
  if (form.type === 'apiKey' && form.in === 'cookie') return (exchange) => cookiesOf(exchange, form.name).length > 1
  if (form.type === 'apiKey' && form.in === 'query') return (exchange) => queriedOf(exchange, form.name).length > 1
  const lower = form.type === 'apiKey' ? form.name.toLowerCase() : 'authorization'
  // Fetch joins what was sent twice; credentials of these schemes have no comma.
  const joined = form.type === 'apiKey' ? undefined : /^\S+ +\S+, /
  return ({ transport }) =>
    transport.headers[lower] !== undefined &&
    (transport.repeats?.(lower) === true || joined?.test(String(transport.headers[lower])) === true)
}

const queriedOf = ({ line: { url, query } }: Exchange, name: string): string[] =>
  query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll(name)

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function authorization(value: string | readonly string[] | undefined, kind: string): string | undefined {
  const [, sent, credentials] = /^([\w!#$%&'*+.^`|~-]+) +(\S+) *$/.exec(textOf(value) ?? '') ?? []
  return sent?.toLowerCase() === kind ? credentials : undefined
}

function basicCredentials({ transport }: Exchange): unknown {
  const encoded = authorization(transport.headers['authorization'], 'basic')
  if (encoded === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const colon = text.indexOf(':')
    return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
  } catch {
    return undefined
  }
}

function cookiesOf({ transport }: Exchange, name: string): string[] {
  return (textOf(transport.headers['cookie']) ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : []
  })
}
