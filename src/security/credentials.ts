// Reads credentials from requests: from `Authorization`, another header, the query or a cookie.
import { type PolicyRequest, readCookies } from '../extend.ts'
import type { SecurityScheme } from './types.ts'

/** Creates the function that reads the credentials of a scheme; it returns undefined if there are none. */
export function createCredentialReader({ form }: SecurityScheme): (request: PolicyRequest) => unknown {
  if (form.type === 'http' && form.scheme === 'basic') return readBasicCredentials
  if (form.type !== 'apiKey') return ({ headers }) => parseAuthorization(headers['authorization'], 'bearer')
  const { name } = form
  if (form.in === 'header') {
    const lower = name.toLowerCase()
    return ({ headers }) => toNonEmptyText(headers[lower])
  }
  if (form.in === 'cookie') return (request) => toNonEmptyText(readCookies(request, name)[0])
  return (request) => request.query(name)[0]
}

/** Describes the location of a scheme's credentials. */
export function describeLocation({ form }: SecurityScheme): string {
  if (form.type !== 'apiKey') return 'header authorization'
  return `${form.in} ${form.in === 'header' ? form.name.toLowerCase() : form.name}`
}

/** Creates the test for repeated credentials, which servers and proxies interpret differently. */
export function createRepetitionTest({ form }: SecurityScheme): (request: PolicyRequest) => boolean {
  if (form.type === 'apiKey' && form.in === 'cookie') return (request) => readCookies(request, form.name).length > 1
  if (form.type === 'apiKey' && form.in === 'query') return ({ url }) => countPairs(url, form.name) > 1
  const lower = form.type === 'apiKey' ? form.name.toLowerCase() : 'authorization'
  const mayHaveComma = form.type === 'apiKey'
  return ({ headers, repeats }) =>
    headers[lower] !== undefined && (repeats(lower) || (!mayHaveComma && hasJoinedValues(String(headers[lower]))))
}

// Other servers read `key[]=…` as a second value of `key`.
function countPairs(url: string, name: string): number {
  const mark = url.indexOf('?')
  if (mark < 0) return 0
  return [...new URLSearchParams(url.slice(mark)).keys()].filter((one) => one === name || one.startsWith(`${name}[`))
    .length
}

// Fetch and Lambda join repeated headers with a comma, which credentials of these schemes do not contain.
function hasJoinedValues(value: string): boolean {
  const comma = value.indexOf(',')
  return comma > 0 && value.slice(comma + 1).trim() !== ''
}

const toNonEmptyText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function parseAuthorization(value: string | readonly string[] | undefined, kind: string): string | undefined {
  const [, sent, credentials] = /^([\w!#$%&'*+.^`|~-]+) +(\S+) *$/.exec(toNonEmptyText(value) ?? '') ?? []
  return sent?.toLowerCase() === kind ? credentials : undefined
}

function readBasicCredentials({ headers }: PolicyRequest): unknown {
  const encoded = parseAuthorization(headers['authorization'], 'basic')
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
