// The laws that every application keeps, each as a check that throws when it is broken.
import { deepStrictEqual } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { Built, Order, Seen, Served } from './declarations/build.ts'
import { isSentFile } from './declarations/scalars.ts'
import type { Case } from './requests/cases.ts'
import { type Answered, comparable, type Sent } from './transports.ts'

/** Thrown when a law is broken; the message has the request and the answer. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw'
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one)) ?? 'undefined'

/** Says what was sent and what came back. */
function transcript({ method, url, headers, body }: Sent, answered?: Answered): string {
  const request = `${method} ${url} ${shown(headers)} ${body === undefined ? '' : Buffer.from(body).toString()}`
  if (answered === undefined) return request
  return `${request}\n→ ${answered.status} ${shown(answered.headers)} ${answered.body.toString().slice(0, 2000)}`
}

/** Breaks a law. */
export function broken(law: string, sent: Sent, answered?: Answered, more?: string): never {
  throw new BrokenLaw(`${law}\n${transcript(sent, answered)}${more === undefined ? '' : `\n${more}`}`)
}

/** A value without what does not matter: prototypes, and the form of files. */
async function plainly(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (isSentFile(value)) return { file: value.text, type: value.type }
  if ('~file' in value) return { file: await (value as unknown as Blob).text(), type: (value as unknown as Blob).type }
  if (Array.isArray(value)) return Promise.all(value.map(plainly))
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const made = await Promise.all(entries.map(async ([name, one]) => [name, await plainly(one)] as const))
  return Object.fromEntries(made)
}

/** Every route that a request's path and version lead to, whatever its verb. */
export function reachable({ served }: Built, one: Case): Served[] {
  const { version } = one.served.endpoint
  return served.filter(({ endpoint, matcher }) =>
    endpoint.version === undefined
      ? matcher.test(one.flat)
      : endpoint.version === version && matcher.test(one.sample.flat),
  )
}

/** The verbs that are allowed at a path; undefined where every verb is. */
export function allowedAt(routes: readonly Served[]): Set<string> | undefined {
  const verbs = new Set(routes.map(({ route }) => route.verb.toUpperCase()))
  if (verbs.has('ANY')) return undefined
  if (verbs.has('GET')) verbs.add('HEAD')
  if (verbs.size > 0) verbs.add('OPTIONS')
  return verbs
}

/** Whether only one route can answer a request. */
export function isUnambiguous(built: Built, one: Case): boolean {
  const { method } = one.sent
  const verbs = method === 'HEAD' ? ['HEAD', 'GET', 'ANY'] : [method, 'ANY']
  return reachable(built, one).filter(({ route }) => verbs.includes(route.verb.toUpperCase())).length === 1
}

/** The controller saw exactly what was sent, coerced. */
export async function sawExactly(one: Case, order: Order, answered: Answered): Promise<void> {
  const { seen } = order
  const { served, sent, expected } = one
  if (seen === undefined) broken('A valid request reaches its controller', sent, answered)
  const { action, ...values } = seen as Seen
  if (action !== `${served.endpoint.name}.${served.action.name}`)
    broken('A request reaches the action of its route', sent, answered, `reached ${action}`)
  for (const part of ['params', 'headers', 'payload'] as const) {
    const [actual, wanted] = [await plainly(values[part]), await plainly(expected[part])]
    // Without a declaration there are no headers to see.
    if (part === 'headers' && Object.keys(served.action.headers).length === 0) continue
    if (isDeepStrictEqual(actual, wanted)) continue
    const more = `saw    ${shown(actual)}\nwanted ${shown(wanted)}\n${difference(actual, wanted)}`
    broken(`The controller sees exactly the coerced ${part}`, sent, answered, more)
  }
}

function difference(actual: unknown, wanted: unknown): string {
  try {
    deepStrictEqual(actual, wanted)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

interface ProblemBody {
  readonly status?: number
  readonly code?: string
  readonly title?: string
  readonly errors?: readonly { readonly in: string; readonly pointer: string; readonly code: string }[]
}

/** The problem document of an answer. */
export function problemOf(sent: Sent, answered: Answered): ProblemBody {
  if (answered.headers['content-type'] !== 'application/problem+json')
    broken('A failure is a problem document', sent, answered)
  const problem = JSON.parse(answered.body.toString()) as ProblemBody
  if (problem.status !== answered.status || typeof problem.code !== 'string' || typeof problem.title !== 'string')
    broken('A problem document names its status, code and title', sent, answered)
  return problem
}

/** A flawed request is refused, with errors at the place of its flaw and nowhere else. */
export function isRefused({ sent, flaw }: Case, order: Order, answered: Answered, status: number): void {
  if (flaw === undefined) return
  const wanted = `wanted ${flaw.codes.join(' or ')} in ${flaw.in} at ${flaw.pointer}`
  if (order.seen !== undefined) broken('A flawed request reaches no controller', sent, answered, wanted)
  if (answered.status !== status) broken('A flawed request is refused', sent, answered, wanted)
  const { code, errors = [] } = problemOf(sent, answered)
  if (code !== 'validation') broken('A flawed value is a matter of validation', sent, answered, wanted)
  if (!errors.some((one) => flaw.codes.includes(one.code) && one.in === flaw.in && one.pointer === flaw.pointer))
    broken('The error names the place of the flaw', sent, answered, wanted)
  if (!errors.every((one) => one.in === flaw.in && one.pointer === flaw.pointer))
    broken('No error names another place', sent, answered, wanted)
}

/** Two answers to one request are the same. */
export function isSame(law: string, sent: Sent, one: Answered, other: Answered): void {
  if (isDeepStrictEqual(comparable(one), comparable(other))) return
  broken(law, sent, one, `and ${shown(comparable(other))}`)
}
