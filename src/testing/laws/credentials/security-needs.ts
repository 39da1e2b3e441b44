// Reads which credentials an action requires, and finds them among the headers of a client.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import type { SchemeForm } from '../../../security/index.ts'
import type { Credentials } from '../../session/check-options.ts'

/** The part of a security scheme that says where its credentials are. */
interface LocatedScheme {
  readonly form: SchemeForm
  readonly prefix: string | undefined
}

type Alternatives = readonly (readonly { readonly scheme: LocatedScheme }[] | null)[]

/** Returns the alternatives of an action's security; an empty list without any. */
function listAlternatives({ policies }: ResolvedAction): Alternatives {
  const settings = policies.get('security')?.settings
  return Array.isArray(settings) ? settings : []
}

/** Returns whether an action requires credentials. */
export const isSecured = (action: ResolvedAction): boolean => {
  const alternatives = listAlternatives(action)
  return alternatives.length > 0 && !alternatives.includes(null)
}

/** A secret in the headers of a client. */
interface HeldSecret {
  readonly isBasic: boolean
  readonly secret: string
  /** Returns the header with another secret. */
  write(secret: string): Credentials
}

/** Returns the secrets among the headers of a client that an action asks for. */
export function listSecrets(action: ResolvedAction, credentials: Credentials): HeldSecret[] {
  const schemes = new Set(listAlternatives(action).flatMap((parts) => (parts ?? []).map(({ scheme }) => scheme)))
  return [...schemes].flatMap((scheme) => findSecret(scheme, credentials) ?? [])
}

function findSecret({ form, prefix }: LocatedScheme, credentials: Credentials): HeldSecret | undefined {
  if (form.type === 'apiKey' && form.in === 'query') return undefined
  const isCookie = form.type === 'apiKey' && form.in === 'cookie'
  const header = getHeaderName(form)
  const [name, text] = Object.entries(credentials).find(([one]) => one.toLowerCase() === header) ?? []
  if (name === undefined || text === undefined) return undefined
  const lead = isCookie ? findCookieLead(text, form.name) : findPrefixLead(text, prefix)
  if (lead === undefined) return undefined
  const [before, secret, after] = lead
  return {
    isBasic: form.type === 'http' && form.scheme.toLowerCase() === 'basic',
    secret,
    write: (other) => ({ [name]: before + other + after }),
  }
}

function getHeaderName(form: SchemeForm): string {
  if (form.type !== 'apiKey') return 'authorization'
  return form.in === 'cookie' ? 'cookie' : form.name.toLowerCase()
}

type Split = readonly [before: string, secret: string, after: string]

function findPrefixLead(text: string, prefix: string | undefined): Split | undefined {
  if (prefix === undefined) return ['', text, '']
  const start = `${prefix} `
  return text.toLowerCase().startsWith(start.toLowerCase())
    ? [text.slice(0, start.length), text.slice(start.length), '']
    : undefined
}

function findCookieLead(text: string, name: string): Split | undefined {
  const cookies = text.split(/;\s*/)
  const at = cookies.findIndex((one) => one.startsWith(`${name}=`))
  if (at < 0) return undefined
  const joinParts = (parts: readonly string[]): string => parts.map((one) => `${one}; `).join('')
  const after = cookies.slice(at + 1)
  return [
    `${joinParts(cookies.slice(0, at))}${name}=`,
    (cookies[at] as string).slice(name.length + 1),
    after.length > 0 ? `; ${after.join('; ')}` : '',
  ]
}
