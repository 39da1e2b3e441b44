// Operations by request line, found from the documents alone.
import type { OpenapiDocument, Operation, PathItem } from '../../../src/openapi/types.ts'
import { compareAscending } from '../../../src/util/compare.ts'
import type { Asked } from './answered.ts'
import { textCheckOf } from './schemas.ts'

/** An operation that a request line fits. */
export interface Place {
  readonly document: OpenapiDocument
  readonly path: string
  readonly operation: Operation
  /** The values of the path's parameters. */
  readonly captures: Readonly<Record<string, string>>
  /** True for HEAD at an operation of GET: a route for any verb of another path may take it. */
  readonly isAssumed: boolean
}

interface Template {
  readonly document: OpenapiDocument
  readonly path: string
  readonly item: PathItem
  /** False at a server where only a header or a parameter has the version. */
  readonly versioned: boolean
  readonly strict: RegExp
  /** With slashes in the values that may have them, or nothing, and at the end: templates of OpenAPI cannot say these. */
  readonly loose: RegExp
  readonly names: readonly string[]
  /** Sorts texts before captures. */
  readonly rank: string
}

/** The operations of some documents. */
export class Places {
  readonly #templates: readonly Template[]

  constructor(documents: readonly OpenapiDocument[]) {
    const all = documents.flatMap((document) => document.servers.flatMap(({ url }) => templatesOf(document, url)))
    this.#templates = all.sort((one, other) => compareAscending(one.rank, other.rank))
  }

  /** The operations that a request line may mean, the likeliest first. */
  find(asked: Asked, form: 'strict' | 'loose'): Place[] {
    const [path, query] = partsOf(asked.url)
    const plain = path === undefined ? undefined : decoded(path)
    if (plain === undefined) return []
    return this.#templates.flatMap((template) => {
      const match = template[form].exec(plain)
      if (match === null || !carries(template, asked, query)) return []
      const captures = Object.fromEntries(template.names.map((name, i) => [name, match[i + 1] as string]))
      const { document, path } = template
      const isAssumed = asked.method === 'HEAD' && !Object.hasOwn(template.item, 'head')
      return operationsFor(template.item, asked.method, form).map((operation) => ({
        document,
        path,
        operation,
        captures,
        isAssumed,
      }))
    })
  }
}

/** Whether the values in the path are those that the operation takes. */
export function takesCaptures({ document, operation, captures }: Place): boolean {
  return (operation.parameters ?? []).every(
    ({ in: place, name, schema }) =>
      place !== 'path' || textCheckOf(document, schema ?? {})(captures[name] ?? '') === undefined,
  )
}

function templatesOf(document: OpenapiDocument, server: string): Template[] {
  const { version } = document.info
  // A document may name servers of other hosts: what is below them is the same.
  const base = server.replace(/^https?:\/\/[^/]*/, '').replace(/\/$/, '')
  const versioned = version === 'unversioned' || base.endsWith(`/v${encodeURIComponent(version)}`)
  return Object.entries(document.paths).map(([path, item]) => {
    const whole = base !== '' && path === '/' ? base : base + path
    const pieces = whole.split(/(\{[^}]*\})/)
    const slashed = slashedIn(item)
    const source = (loose: boolean): string =>
      pieces
        .map((piece, i) => {
          if (i % 2 === 0) return literal(decoded(piece) ?? piece)
          return loose && slashed.has(piece.slice(1, -1)) ? '(.*)' : '([^/]+)'
        })
        .join('')
    return {
      document,
      path,
      item,
      versioned,
      strict: new RegExp(`^${source(false)}$`, 's'),
      loose: new RegExp(`^${source(true)}/?$`, 's'),
      names: pieces.filter((_, i) => i % 2 === 1).map((piece) => piece.slice(1, -1)),
      rank: whole.split('/').map(rankOf).join(''),
    }
  })
}

// Only its description says so of a parameter.
const slashedIn = (item: PathItem): Set<string> =>
  new Set(
    Object.values(item)
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ in: place, description }) => place === 'path' && description?.includes('May have slashes.'))
      .map(({ name }) => name),
  )

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function rankOf(segment: string): string {
  if (!segment.includes('{')) return '0'
  return /^\{[^}]*\}$/.test(segment) ? '2' : '1'
}

function partsOf(url: string): [path: string | undefined, query: string] {
  const [, path, query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/is.exec(url) ?? []
  return [path === '' ? '/' : path, query]
}

// An escaped slash is no slash.
function decoded(path: string): string | undefined {
  try {
    return path
      .split(/%2F/i)
      .map((part) => decodeURIComponent(part))
      .join('%2F')
  } catch {
    return undefined
  }
}

function carries({ versioned, document, item }: Template, { version }: Asked, query: string): boolean {
  if (versioned) return true
  const parameters = Object.values(item).flatMap((operation) => operation.parameters ?? [])
  const own = parameters.filter(
    ({ in: place, schema }) => place !== 'path' && schema?.['const'] === document.info.version,
  )
  return own.some(({ in: place, name }) =>
    place === 'header'
      ? version === document.info.version
      : new URLSearchParams(query).get(name) === document.info.version,
  )
}

// The operations of a route for any verb differ in the verb that their titles name.
const titleOf = ({ summary }: Operation): string | undefined => summary?.replace(/ by [A-Z]+$/, '')

const isOfOneAction = (one: Operation, other: Operation): boolean =>
  titleOf(one) === titleOf(other) && JSON.stringify(one.responses) === JSON.stringify(other.responses)

const USUAL: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

function operationsFor(item: PathItem, method: string, form: 'strict' | 'loose'): Operation[] {
  // OpenAPI 3.1 has no member for QUERY.
  const verb = method === 'QUERY' ? 'x-query' : method.toLowerCase()
  const named = verb === 'head' && !Object.hasOwn(item, verb) ? 'get' : verb
  const own = Object.hasOwn(item, named) ? item[named] : undefined
  if (own !== undefined) return [own]
  // A route of every verb has an operation for each that is usual and that no other route takes, and answers others alike.
  const usual = USUAL.flatMap((one) => item[one] ?? [])
  const repeated = usual.filter((one) => usual.some((other) => other !== one && isOfOneAction(one, other)))
  const all = usual.length === USUAL.length ? usual : repeated
  return form === 'loose' && !USUAL.includes(verb) ? all : []
}
