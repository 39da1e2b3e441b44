// Security at run time: credentials are taken from a request and verified before anything else of it is looked at.
import type { ResolvedNeed, SecurityScheme } from '../design/security.ts'
import { isThenable } from '../util/thenable.ts'
import type { Exchange, Outcome, Step } from './exchange.ts'
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
): Step | null {
  const ways = needs.flatMap((need): Way[] => {
    const found = need === null ? undefined : verifiers.find(({ scheme }) => scheme === need.scheme)
    if (need === null || found === undefined) return []
    return [{ read: readerOf(need.scheme), check: found.check as Way['check'], scopes: need.scopes }]
  })
  if (needs.every((need) => need === null)) return null
  const strangers = needs.includes(null)
  const challenge = challengeOf(needs, realm)
  return (exchange) => enter(exchange, ways, 0, { strangers, challenge, tried: false, forbidden: false })
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
        exchange.principal = one
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
  if (form.in === 'cookie') return ({ transport }) => cookieOf(textOf(transport.headers['cookie']), name)
  return ({ url, query }) => (query < 0 ? undefined : (new URLSearchParams(url.slice(query)).get(name) ?? undefined))
}

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

function cookieOf(cookies: string | undefined, name: string): string | undefined {
  for (const pair of (cookies ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return textOf(pair.slice(equals + 1).trim())
  }
  return undefined
}
