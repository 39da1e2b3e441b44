// Versions: the carriers of a version in a request, and whether they agree.

/** The carriers of a version in a request: a path prefix `/v<version>`, a header, a query parameter. */
export type VersionCarrier = 'path' | 'header' | 'query'

/** The header that carries a version, in lower case. */
const VERSION_HEADER = 'x-api-version'

/** The query parameter that carries a version. */
export const VERSION_PARAM = 'api_version'

/** The version of a request, and the path without it. */
export interface CarriedVersion {
  readonly version: string | undefined
  readonly path: string
  /** Set when two carriers name different versions, or one of them is sent twice. */
  readonly conflict: readonly string[] | undefined
}

/**
 * Creates the function that reads the version of a request, from an API's base path, its versions and the accepted
 * carriers.
 */
export function createVersionReader(
  basePath: string,
  versions: readonly string[],
  carriers: readonly VersionCarrier[],
): (path: string, query: string, headers: Readonly<Record<string, unknown>>) => CarriedVersion {
  const known = new Set(versions)
  const usesPath = carriers.includes('path')
  const usesHeader = carriers.includes('header')
  const usesQuery = carriers.includes('query')
  const prefix = `${basePath}/v`
  return (path, query, headers) => {
    const inPath = usesPath ? readPathVersion(path, prefix, known) : undefined
    const inHeaders = usesHeader ? readHeaderVersions(headers[VERSION_HEADER], known) : NONE
    const inHeader = inHeaders[0]
    const inParams = usesQuery && query !== '' ? readParamVersions(query) : NONE
    const version = inPath?.version ?? inHeader ?? inParams[0]
    // What is sent twice is refused even if both agree: a proxy may have used another copy of it.
    const isConsistent =
      inHeaders.length < 2 &&
      inParams.length < 2 &&
      (inHeader === undefined || inHeader === version) &&
      (inParams.length === 0 || inParams[0] === version)
    const conflict = isConsistent
      ? undefined
      : [...new Set([inPath?.version, ...inHeaders, ...inParams].filter((one) => one !== undefined))]
    const rest = inPath === undefined ? path : basePath + path.slice(inPath.end)
    return { version, path: rest === '' ? '/' : rest, conflict }
  }
}

/** Returns the version that a path begins with, if it is a known one: `/videos` is not version `ideos`. */
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

// Several lines of a header arrive as one comma-separated text, or as a list.
function readHeaderVersions(header: unknown, known: ReadonlySet<string>): readonly string[] {
  if (header === undefined) return NONE
  if (typeof header === 'string' && (!header.includes(',') || known.has(header))) return [header]
  return [header]
    .flat()
    .flatMap((one) => String(one).split(','))
    .map((one) => one.trim())
}

// The name may be encoded, or have brackets, by which another reader takes it for a list: that is no known version.
function readParamVersions(query: string): readonly string[] {
  if (!query.includes(VERSION_PARAM) && !query.includes('%')) return NONE
  return query.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=')
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals))
    if (name === VERSION_PARAM) return [equals < 0 ? '' : decodeFormText(pair.slice(equals + 1))]
    return name.startsWith(`${VERSION_PARAM}[`) ? [name] : []
  })
}

// A text that cannot be decoded is no known version.
function decodeFormText(text: string): string {
  const plain = text.replaceAll('+', ' ')
  return tryDecode(plain) ?? plain
}

function tryDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
