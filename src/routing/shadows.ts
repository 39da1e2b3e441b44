// Shadowed routes: routes without a version that no request reaches, because their paths begin like a version's, whose
// routes match instead.
import type { Report } from '../design/mistakes.ts'
import { compilePathPattern, listForms, type PatternForm } from '../path/index.ts'
import type { TableEntry } from './route-table.ts'
import { findIndistinguishable, type RouteEntry, type Router } from './router/router.ts'

/** The routes of one version, and the prefix of its request paths. */
export interface VersionRoutes<T> {
  readonly prefix: string
  readonly basePath: string
  readonly router: Router<T>
  readonly entries: readonly RouteEntry<T>[]
}

// Texts of a wildcard with and without each of its parts; a segment is `x`.
const WILDCARD_TEXTS: readonly string[] = ['', 'x', '/', '/x', 'x/', 'x/x', 'x//x']

/**
 * Returns the versioned route that matches every path of a route without a version; undefined if a path is left to it.
 */
export function findShadow<T extends TableEntry>(
  entry: RouteEntry<T>,
  versions: readonly VersionRoutes<T>[],
): T | undefined {
  const forms = listForms(entry.pattern.root)
  if (forms === null) return undefined
  const shadows = forms.map((form) => {
    const found = versions.map((version) => findFormShadow(entry, form, version))
    return found.find((one) => one !== undefined)
  })
  return shadows.every((one) => one !== undefined) ? shadows[0] : undefined
}

function findFormShadow<T extends TableEntry>(
  entry: RouteEntry<T>,
  form: PatternForm,
  version: VersionRoutes<T>,
): T | undefined {
  const { prefix, basePath, router, entries } = version
  const firstVariable = form.findIndex(({ kind }) => kind !== 'char')
  const isLiteral = firstVariable < 0
  const literal = fillForm(isLiteral ? form : form.slice(0, firstVariable), '', '')
  if (literal !== prefix && !literal.startsWith(`${prefix}/`)) return undefined
  // A constraint may take in several segments.
  if (form.some((piece) => piece.kind === 'capture' && piece.constraintKey !== '')) return findSameRoute(entry, version)
  const segment = findForeignCharacter(entries)
  const texts = form.some(({ kind }) => kind === 'wildcard') ? WILDCARD_TEXTS : ['']
  const paths = texts
    .map((text) => basePath + fillForm(form, segment, text.replaceAll('x', segment)).slice(prefix.length))
    .flatMap((path) => (entry.trailingSlash === true ? [path, `${path}/`] : [path]))
    .map((path) => encodeURI(path === '' ? '/' : path))
  if (isLiteral) {
    const found = paths.map((path) => router.find(entry.verb, path))
    return found.every((one) => one !== null) ? found[0]?.value : undefined
  }
  const covering = entries.find(
    (one) => one.verb === entry.verb && isFree(one) && paths.every((path) => fits(one, path)),
  )
  return covering?.value ?? findSameRoute(entry, version)
}

// One character stands for any text only where nothing but captures and wildcards matches it, and these take any text.
const isFree = ({ pattern: { options } }: RouteEntry<unknown>): boolean =>
  options.capture === undefined && options.except === undefined

const fits = ({ pattern, trailingSlash }: RouteEntry<unknown>, path: string): boolean =>
  pattern.match(path) !== null ||
  (trailingSlash === true && path.endsWith('/') && pattern.match(path.slice(0, -1)) !== null)

/** Returns a character that no pattern contains. */
function findForeignCharacter(entries: readonly RouteEntry<unknown>[]): string {
  let code = 0xe000
  while (entries.some(({ pattern }) => pattern.source.includes(String.fromCodePoint(code)))) code++
  return String.fromCodePoint(code)
}

const fillForm = (form: PatternForm, segment: string, wildcardText: string): string =>
  form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'capture' ? segment : wildcardText
    })
    .join('')

// Constraints are compared by their source.
function findSameRoute<T extends TableEntry>(
  entry: RouteEntry<T>,
  { prefix, basePath, entries }: VersionRoutes<T>,
): T | undefined {
  const { source, options } = entry.pattern
  if (!source.startsWith(prefix)) return undefined
  const { except, ...rest } = options
  const versionExcept = except?.startsWith(prefix) ? basePath + except.slice(prefix.length) : except
  const pattern = compilePathPattern(basePath + source.slice(prefix.length) || '/', {
    ...rest,
    ...(versionExcept !== undefined && { except: versionExcept }),
  })
  return findIndistinguishable([...entries, { ...entry, pattern }]).find(({ second }) => second.pattern === pattern)
    ?.first.value
}

/** Reports a route that is shadowed by a version. */
export function reportShadow(shadow: TableEntry, { route, path }: TableEntry, report: Report): void {
  const { action, version } = shadow
  const other = `${action.endpoint.name}.${action.name} (${shadow.route.verb} ${shadow.path}, version ${version})`
  report(
    'routing',
    `no request reaches ${route.verb} ${path}: its path names version ${version}, which ${other} serves`,
    'change its path, or give its endpoint a version',
  )
}
