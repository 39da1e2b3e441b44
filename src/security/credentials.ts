// Reads credentials from requests: from `Authorization`, another header, the query or a cookie.
import { type PolicyRequest, readCookies } from '../extend.ts'
import type { SecurityScheme } from './types.ts'

/** Creates the function that reads the credentials of a scheme; it returns undefined if there are none. */
export function createCredentialReader({ form, prefix }: SecurityScheme): (request: PolicyRequest) => unknown {
  if (form.type === 'http' && form.scheme === 'basic') return readBasicCredentials
  if (prefix !== undefined) {
    const lower = prefix.toLowerCase()
    return ({ headers }) => parseAuthorization(headers['authorization'], lower)
  }
  if (form.type !== 'apiKey') return () => undefined
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
export function createRepetitionTest({ form, prefix }: SecurityScheme): (request: PolicyRequest) => boolean {
  if (form.type === 'apiKey' && form.in === 'cookie') return (request) => readCookies(request, form.name).length > 1
  if (form.type === 'apiKey' && form.in === 'query') return ({ url }) => countPairs(url, form.name) > 1
  const lower = form.type === 'apiKey' ? form.name.toLowerCase() : 'authorization'
  return ({ headers, repeats }) =>
    headers[lower] !== undefined &&
    (repeats(lower) || (prefix !== undefined && hasJoinedValues(String(headers[lower]))))
}

// Other servers read `key[]=…` as a second value of `key`.
function countPairs(url: string, name: string): number {
  const mark = url.indexOf('?')
  if (mark < 0) return 0
  return [...new URLSearchParams(url.slice(mark)).keys()].filter((one) => one === name || one.startsWith(`${name}[`))
    .length
}

// Fetch and Lambda join repeated headers with a comma. RFC 9110, section 11.4: credentials are one token, or parameters
// between commas; after a comma, anything else is a second value.
function hasJoinedValues(value: string): boolean {
  const [first = '', ...others] = splitAtCommas(value)
  const later = others.filter((one) => one.trim() !== '')
  return later.length > 0 && !(isParameter(first.trim().replace(/^[^ ]* +/, '')) && later.every(isParameter))
}

const splitAtCommas = (value: string): readonly string[] =>
  value.includes(',') ? (value.match(/(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g) ?? []) : [value]

const isParameter = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+[ \t]*=[ \t]*[^\s=]/.test(text.trimStart())

const toNonEmptyText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function parseAuthorization(value: string | readonly string[] | undefined, prefix: string): string | undefined {
  const text = toNonEmptyText(value)?.trim() ?? ''
  const space = text.indexOf(' ')
  if (space < 0 || text.slice(0, space).toLowerCase() !== prefix) return undefined
  const credentials = text.slice(space).trimStart()
  return SINGLE_TOKEN.has(prefix) && /\s/.test(credentials) ? undefined : credentials
}

const SINGLE_TOKEN: ReadonlySet<string> = new Set(['bearer', 'basic'])

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
