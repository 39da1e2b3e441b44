// Params in a body: joined with those of the URL and the path, which come first, and written as the query of a GET.
import type { Attributes } from '../../schema/attribute.ts'
import { type Loader, Loading } from '../../schema/loading.ts'
import { canWritePairs, addToQuery, writePairs } from '../../schema/structures/pairs.ts'
import { changeError, type InputError } from '../problem/problem.ts'
import { parseQuery } from './parse-query.ts'
import { type RawTree, createTree, type TreeForm, TreeWriter } from './value-tree.ts'

/** A value that came in the URL of a request whose other params are in its body. */
class UrlValue {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** Makes a loader that reads values of the URL as text, whatever the body is. */
export const withUrlValues =
  (load: Loader): Loader =>
  (value, loading) => {
    if (!(value instanceof UrlValue)) return load(value, loading)
    const { text } = loading
    loading.text = true
    const loaded = load(value.value, loading)
    loading.text = text
    return loaded
  }

/** Whether a body can be params at all. */
export const isObjectBody = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/**
 * The params of a body and of the URL, which comes first: a link to another part of a list has that part in its URL, and the
 * body that it is sent with may have one, too. `parts` are the paths of all params that choose a part.
 */
export function mergeParams(
  body: Readonly<Record<string, unknown>>,
  url: RawTree | undefined,
  parts: readonly (readonly string[])[],
): RawTree {
  const joined = createTree()
  for (const name of Object.keys(body)) joined[name] = body[name]
  if (url === undefined) return joined
  const names = Object.keys(url)
  if (parts.some(([first]) => names.includes(first as string))) for (const path of parts) removePath(joined, path)
  for (const name of names) joined[name] = new UrlValue(mergeStructures(joined[name], url[name]))
  return joined
}

// The other members of a structure of the body stay.
const mergeStructures = (body: unknown, url: unknown): unknown =>
  isObjectBody(body) && isObjectBody(url) ? Object.assign(createTree(), body, url) : url

function removePath(tree: RawTree, [name, ...rest]: readonly string[]): void {
  const below = tree[name as string]
  if (rest.length === 0) delete tree[name as string]
  else if (isObjectBody(below)) {
    const copy = Object.assign(createTree(), below)
    removePath(copy, rest)
    tree[name as string] = copy
  }
}

/** The most characters of a URL that params of a body are written into. */
const MAX_URL_LENGTH = 2000

/** The URL with which GET asks for the same; undefined where a query cannot say it, or would be too long. */
export function toGetUrl(url: string, joined: RawTree, params: Attributes, text: boolean): string | undefined {
  const pairs: string[] = []
  const add = addToQuery(pairs)
  for (const [name, declared] of Object.entries(params)) {
    // The texts of a form are those of a query.
    const attribute = text ? undefined : declared
    const value = joined[name]
    if (value === undefined || value instanceof UrlValue) continue
    if (!canWritePairs(value, attribute)) return undefined
    writePairs(add, name, value, attribute)
  }
  const mark = url.indexOf('?')
  if (mark >= 0) pairs.push(url.slice(mark + 1))
  const whole = pairs.length === 0 ? url : `${mark < 0 ? url : url.slice(0, mark)}?${pairs.join('&')}`
  return whole.length > MAX_URL_LENGTH ? undefined : whole
}

/** The names of the params in the query of a URL, which begins at `from`; none where that is negative. */
export function listQueryNames(url: string, from: number, form: TreeForm): readonly string[] {
  if (from < 0) return []
  const tree = createTree()
  parseQuery(url, from, new TreeWriter(tree, form, new Loading(true)))
  return Object.keys(tree)
}

/** Errors of params, of which all but some by name came in the body. */
export function moveToPayload(errors: readonly InputError[], elsewhere: readonly string[]): readonly InputError[] {
  return errors.map((error) => {
    const [, step = ''] = error.pointer.split('/', 2)
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return error.in !== 'params' || (error.pointer !== '' && elsewhere.includes(name))
      ? error
      : changeError(error, { in: 'payload' })
  })
}
