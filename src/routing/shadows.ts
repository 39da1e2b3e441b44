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

// A text that no route contains literally, with characters that no common constraint accepts together.
const SAMPLE_TEXT = '~0aZ.é-'
const SAMPLE_WILDCARDS: readonly string[] = ['', SAMPLE_TEXT, `${SAMPLE_TEXT}/${SAMPLE_TEXT}`]

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
  const { prefix, basePath, router } = version
  const firstVariable = form.findIndex(({ kind }) => kind !== 'char')
  const literal = fillForm(firstVariable < 0 ? form : form.slice(0, firstVariable), '')
  if (literal !== prefix && !literal.startsWith(`${prefix}/`)) return undefined
  if (form.some((piece) => piece.kind === 'capture' && piece.key !== '')) return findSameRoute(entry, version)
  const wildcardValues = form.some(({ kind }) => kind === 'wildcard') ? SAMPLE_WILDCARDS : ['']
  const paths = wildcardValues.map((value) => basePath + fillForm(form, value).slice(prefix.length))
  const allPaths = entry.trailingSlash === true ? paths.flatMap((path) => [path, `${path}/`]) : paths
  const found = allPaths.map((path) => router.find(entry.verb, encodeURI(path === '' ? '/' : path)))
  return found.every((one) => one !== null) ? found[0]?.value : undefined
}

const fillForm = (form: PatternForm, wildcardValue: string): string =>
  form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'capture' ? SAMPLE_TEXT : wildcardValue
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
