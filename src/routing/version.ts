// Versions: where a request carries one, and whether its carriers agree.

/** The carriers of a version in a request: a path prefix `/v<version>`, a header, a query parameter. */
export type VersionCarrier = 'path' | 'header' | 'query'

/** The header that carries a version, in lower case. */
const VERSION_HEADER = 'x-api-version'

/** The query parameter that carries a version. */
export const VERSION_PARAM = 'api_version'

/** A version together with the path that is left without it. */
export interface CarriedVersion {
  readonly version: string | undefined
  readonly path: string
  /** Set when two carriers name different versions, or the header is sent twice. */
  readonly conflict: readonly string[] | undefined
}

/** Makes the reader of versions for an API: its base path, the versions it has and the carriers it accepts. */
export function createVersionReader(
  basePath: string,
  versions: readonly string[],
  carriers: readonly VersionCarrier[],
): (path: string, query: string, headers: Readonly<Record<string, unknown>>) => CarriedVersion {
  const known = new Set(versions)
  const byPath = carriers.includes('path')
  const byHeader = carriers.includes('header')
  const byParams = carriers.includes('query')
  const prefix = `${basePath}/v`
  return (path, query, headers) => {
    const inPath = byPath ? readPathVersion(path, prefix, known) : undefined
    const inHeaders = byHeader ? readHeaderVersions(headers[VERSION_HEADER], known) : NONE
    const inHeader = inHeaders[0]
    const inParams = byParams && query !== '' ? readParamVersions(query) : NONE
    const version = inPath?.version ?? inHeader ?? inParams[0]
    // A header that is sent twice is refused even if both agree: a proxy may have gone by another copy of it.
    const agree =
      inHeaders.length < 2 &&
      (inHeader === undefined || inHeader === version) &&
      inParams.every((one) => one === version)
    const conflict = agree
      ? undefined
      : [...new Set([inPath?.version, ...inHeaders, ...inParams].filter((one) => one !== undefined))]
    const rest = inPath === undefined ? path : basePath + path.slice(inPath.end)
    return { version, path: rest === '' ? '/' : rest, conflict }
  }
}

/** The version that a path begins with, if it is one of the known ones: `/videos` is not version `ideos`. */
function readPathVersion(
  path: string,
  prefix: string,
  known: ReadonlySet<string>,
): { version: string; end: number } | undefined {
  if (!path.startsWith(prefix)) return undefined
  const slash = path.indexOf('/', prefix.length)
  const end = slash < 0 ? path.length : slash
  const version = tryDecode(path.slice(prefix.length, end))
  return version !== undefined && known.has(version) ? { version, end } : undefined
}

const NONE: readonly string[] = []

// Several lines of a header come as one text with commas, or as a list.
function readHeaderVersions(header: unknown, known: ReadonlySet<string>): readonly string[] {
  if (header === undefined) return NONE
  if (typeof header === 'string' && (!header.includes(',') || known.has(header))) return [header]
  return [header]
    .flat()
    .flatMap((one) => String(one).split(','))
    .map((one) => one.trim())
}

// A parameter that is sent twice may disagree with itself.
function readParamVersions(query: string): readonly string[] {
  if (!query.includes(VERSION_PARAM)) return NONE
  return query
    .split('&')
    .filter((pair) => pair.startsWith(`${VERSION_PARAM}=`))
    .map((pair) => pair.slice(VERSION_PARAM.length + 1).replaceAll('+', ' '))
    .map((text) => tryDecode(text) ?? text)
}

function tryDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
