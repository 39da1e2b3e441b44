// The target of a request: of all its forms (RFC 9112, section 3.2) only path and query say anything here.

const SLASH = 47

/** Cuts scheme, authority and fragment off a target; one without a path stays as it is, and no route has it. */
export function toPathAndQuery(target: string): string {
  if (target.charCodeAt(0) === SLASH) return withoutFragment(target)
  // A proxy may send the absolute form, and Fetch knows no other; the authority in it decides nothing.
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute === null) return target
  const rest = withoutFragment(target.slice(absolute[0].length))
  return rest.charCodeAt(0) === SLASH ? rest : `/${rest}`
}

function withoutFragment(target: string): string {
  const fragment = target.indexOf('#')
  return fragment < 0 ? target : target.slice(0, fragment)
}

/** Returns whether a target, cut to path and query, has a path at all. */
export const hasPath = (url: string): boolean => url.charCodeAt(0) === SLASH

/** A path and query as a reference that leads to the same host: what begins with two slashes would name another one. */
export const toSameHost = (url: string): string => (url.charCodeAt(1) === SLASH ? `/.${url}` : url)
