// Merges params in a body with those of the URL and the path, which have precedence, and writes them as the query of a
// GET.
import type { Attributes } from '../../schema/attribute.ts'
import { type Loader, Loading, type ValueSource } from '../../schema/loading.ts'
import { addToQuery, canWritePairs, writePairs } from '../../schema/structures/pairs.ts'
import { changeError, type InputError } from '../problem/problem.ts'
import { parseQuery } from './parse-query.ts'
import { createTree, type RawTree, type TreeForm, TreeWriter } from './value-tree.ts'

/** A value from the URL of a request whose other params are in its body. */
class UrlValue {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** Wraps a loader to read values of the URL as text, regardless of the body's format. */
export const withUrlValues =
  (load: Loader): Loader =>
  (value, loading) => {
    if (!(value instanceof UrlValue)) return load(value, loading)
    const { source } = loading
    loading.source = 'text'
    const loaded = load(value.value, loading)
    loading.source = source
    return loaded
  }

/** Returns whether a body can contain params. */
export const isObjectBody = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/**
 * Merges the params of a body and of the URL, which has precedence: a link to another page of a list has that page in
 * its URL, and the body that is sent with it may have one, too. `parts` are the paths of all params that select a page.
 */
export function mergeParams(
  body: Readonly<Record<string, unknown>>,
  url: RawTree | undefined,
  parts: readonly (readonly string[])[],
): RawTree {
  const merged = createTree()
  for (const name of Object.keys(body)) merged[name] = body[name]
  if (url === undefined) return merged
  const names = Object.keys(url)
  if (parts.some(([first]) => names.includes(first as string))) for (const path of parts) removePath(merged, path)
  for (const name of names) merged[name] = new UrlValue(mergeStructures(merged[name], url[name]))
  return merged
}

// The other members of a structure in the body remain.
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

/** The most characters of a URL with the params of a body. */
const MAX_URL_LENGTH = 2000

/** Returns the URL of the equivalent GET request; undefined if a query cannot express it, or would be too long. */
export function toGetUrl(url: string, merged: RawTree, params: Attributes, source: ValueSource): string | undefined {
  const pairs: string[] = []
  const add = addToQuery(pairs)
  for (const [name, declared] of Object.entries(params)) {
    // The values of a form are texts, like those of a query.
    const attribute = source === 'text' ? undefined : declared
    const value = merged[name]
    if (value === undefined || value instanceof UrlValue) continue
    if (!canWritePairs(value, attribute)) return undefined
    writePairs(add, name, value, attribute)
  }
  const mark = url.indexOf('?')
  if (mark >= 0) pairs.push(url.slice(mark + 1))
  const getUrl = pairs.length === 0 ? url : `${mark < 0 ? url : url.slice(0, mark)}?${pairs.join('&')}`
  return getUrl.length > MAX_URL_LENGTH ? undefined : getUrl
}

/** Returns the names of the params in the query of a URL, which begins at `from`; none if `from` is negative. */
export function listQueryNames(url: string, from: number, form: TreeForm): readonly string[] {
  if (from < 0) return []
  const tree = createTree()
  parseQuery(url, from, new TreeWriter(tree, form, new Loading('text')))
  return Object.keys(tree)
}

/**
 * Moves errors of params to the payload, except those of the params named in `elsewhere`, which did not come in the
 * body.
 */
export function moveToPayload(errors: readonly InputError[], elsewhere: readonly string[]): readonly InputError[] {
  return errors.map((error) => {
    const [, step = ''] = error.pointer.split('/', 2)
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return error.in !== 'params' || (error.pointer !== '' && elsewhere.includes(name))
      ? error
      : changeError(error, { in: 'payload' })
  })
}
