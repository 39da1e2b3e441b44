// Routes without a version that no request reaches: their paths begin as a version's do, and the version answers them.
import type { Report } from '../design/mistakes.ts'
import { compilePathPattern, type PatternForm, listForms } from '../path/index.ts'
import { findIndistinguishable, type RouteEntry, type Router } from './router/router.ts'
import type { TableEntry } from './route-table.ts'

/** The routes of one version, and what the paths of its requests begin with. */
export interface VersionRoutes<T> {
  readonly prefix: string
  readonly basePath: string
  readonly router: Router<T>
  readonly entries: readonly RouteEntry<T>[]
}

// No text that a route spells out, and of characters that no usual constraint accepts together.
const SAMPLE_TEXT = '~0aZ.é-'
const SAMPLE_WILDCARDS: readonly string[] = ['', SAMPLE_TEXT, `${SAMPLE_TEXT}/${SAMPLE_TEXT}`]

/** The route of a version that answers every path of a route without one; undefined where some path is left to it. */
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

function findFormShadow<T extends TableEntry>(entry: RouteEntry<T>, form: PatternForm, version: VersionRoutes<T>): T | undefined {
  const { prefix, basePath, router } = version
  const begin = form.findIndex(({ kind }) => kind !== 'char')
  const literal = fillForm(begin < 0 ? form : form.slice(0, begin), '')
  if (literal !== prefix && !literal.startsWith(`${prefix}/`)) return undefined
  if (form.some((piece) => piece.kind === 'capture' && piece.key !== '')) return findSameRoute(entry, version)
  const runs = form.some(({ kind }) => kind === 'wildcard') ? SAMPLE_WILDCARDS : ['']
  const paths = runs.map((run) => basePath + fillForm(form, run).slice(prefix.length))
  const all = entry.trailingSlash === true ? paths.flatMap((path) => [path, `${path}/`]) : paths
  const found = all.map((path) => router.find(entry.verb, encodeURI(path === '' ? '/' : path)))
  return found.every((one) => one !== null) ? found[0]?.value : undefined
}

const fillForm = (form: PatternForm, run: string): string =>
  form
    .map((piece) => {
      if (piece.kind === 'char') return String.fromCodePoint(piece.code)
      return piece.kind === 'capture' ? SAMPLE_TEXT : run
    })
    .join('')

// Constraints are compared as they are written.
function findSameRoute<T extends TableEntry>(
  entry: RouteEntry<T>,
  { prefix, basePath, entries }: VersionRoutes<T>,
): T | undefined {
  const { source, options } = entry.pattern
  if (!source.startsWith(prefix)) return undefined
  const { except, ...rest } = options
  const left = except?.startsWith(prefix) ? basePath + except.slice(prefix.length) : except
  const pattern = compilePathPattern(basePath + source.slice(prefix.length) || '/', {
    ...rest,
    ...(left !== undefined && { except: left }),
  })
  return findIndistinguishable([...entries, { ...entry, pattern }]).find(({ second }) => second.pattern === pattern)?.first
    .value
}

/** Reports a route that a version shadows. */
export function reportShadow(shadow: TableEntry, { route, path }: TableEntry, report: Report): void {
  const { action, version } = shadow
  const other = `${action.endpoint.name}.${action.name} (${shadow.route.verb} ${shadow.path}, version ${version})`
  report(
    'routing',
    `no request reaches ${route.verb} ${path}: its path names version ${version}, of which ${other} answers`,
    'change its path, or give its endpoint a version',
  )
}
