// Parses the target of a request: of all its forms (RFC 9112, section 3.2), only path and query matter here.

const SLASH = 47

/** Removes scheme, authority and fragment from a target; a target without a path is unchanged, and matches no route. */
export function toPathAndQuery(target: string): string {
  if (target.charCodeAt(0) === SLASH) return withoutFragment(target)
  // A proxy may send the absolute form, and Fetch always does; its authority is ignored.
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute === null) return target
  const rest = withoutFragment(target.slice(absolute[0].length))
  return rest.charCodeAt(0) === SLASH ? rest : `/${rest}`
}

function withoutFragment(target: string): string {
  const fragment = target.indexOf('#')
  return fragment < 0 ? target : target.slice(0, fragment)
}

/** Returns whether a target, reduced to path and query, has a path. */
export const hasPath = (url: string): boolean => url.charCodeAt(0) === SLASH

/** Returns a path and query as a reference to the same host: two leading slashes would name another host. */
export const toSameHost = (url: string): string => (url.charCodeAt(1) === SLASH ? `/.${url}` : url)
