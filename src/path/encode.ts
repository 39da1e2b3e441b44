// Percent-encodes the parts of a path.
import { isGuardedSeparator } from './decode.ts'

const UNESCAPED_LITERAL = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/

/** Encodes the value of a capture, which cannot end its segment. */
export function encodeCapture(value: string): string {
  return encodeURIComponent(value)
}

/** Encodes the value of a wildcard; its slashes are separators. */
export function encodeWildcard(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/')
}

/** Encodes a literal character of a pattern; guarded ones are separators that must stay encoded. */
export function encodeLiteral(code: number): string {
  if (isGuardedSeparator(code)) return encodeURIComponent(String.fromCharCode(code & 0xff))
  const char = String.fromCodePoint(code)
  return UNESCAPED_LITERAL.test(char) ? char : encodeURIComponent(char)
}
