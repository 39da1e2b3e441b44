// The head of a part of multipart/form-data (RFC 7578): its field name, file name and content type.
import type { Failed } from '../../../util/failed.ts'
import { createReason, type ProblemReason } from '../../problem/reasons.ts'
import { type ContentType, parseContentType, parseParameters } from '../content-type.ts'
import { decodeUtf8 } from '../read-json.ts'
import { sanitizeFilename } from '../received-file.ts'

/** The head of a part. */
export interface PartHead {
  readonly name: string
  /** Undefined if the part is not sent as a file; empty if a form was submitted without choosing a file. */
  readonly filename: string | undefined
  readonly type: ContentType | undefined
  /** The content type as sent. */
  readonly typeText: string | undefined
}

/** Parses the header lines of a part. */
export function parsePartHead(bytes: Uint8Array): PartHead | Failed<ProblemReason> {
  const headers = parseHeaderLines(decodeUtf8(bytes))
  if (headers === undefined) return { fault: createReason('part-head') }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (coding !== undefined && !IDENTITY_ENCODINGS.has(coding)) return { fault: createReason('part-coding') }
  const parameters = parseDisposition(headers.get('content-disposition') ?? '')
  const name = parameters?.get('name')
  if (parameters === undefined || name === undefined) return { fault: createReason('part-name') }
  const extended = parameters.get('filename*')
  const filename = extended === undefined ? unescapeName(parameters.get('filename')) : parseExtendedValue(extended)
  if (extended !== undefined && filename === undefined) return { fault: createReason('part-filename') }
  const typeText = headers.get('content-type')
  const type = typeText === undefined ? undefined : parseContentType(typeText)
  if (typeText !== undefined && type === undefined) return { fault: createReason('part-type') }
  return {
    name: unescapeName(name),
    filename: filename === undefined ? undefined : sanitizeFilename(filename),
    type,
    typeText,
  }
}

const IDENTITY_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header's value holds none but the tab
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\u0000-\u0008\u000a-\u001f\u007f]*)$/
const KNOWN_HEADERS: ReadonlySet<string> = new Set(['content-disposition', 'content-type', 'content-transfer-encoding'])

function parseHeaderLines(text: string | undefined): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  if (text === undefined) return undefined
  for (const line of text === '' ? [] : text.split('\r\n')) {
    const [, name, value] = HEADER_LINE.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    const lower = name.toLowerCase()
    if (!KNOWN_HEADERS.has(lower)) continue
    if (headers.has(lower)) return undefined
    headers.set(lower, value.trimEnd())
  }
  return headers
}

const QUOTED = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/y
const LITERAL = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"([^"]*)"|([^\s";]+))/y

// Browsers send a backslash unescaped, other clients use it to escape. If parsing with escapes fails, parse it
// literally.
function parseDisposition(text: string): ReadonlyMap<string, string> | undefined {
  const start = /^form-data(?=[ \t;]|$)/i.exec(text)?.[0].length
  if (start === undefined) return undefined
  return parseParameters(text, start, QUOTED, /\\(["\\])/g) ?? parseParameters(text, start, LITERAL)
}

// The percent-encoding by browsers of the three characters that a quoted name cannot hold (HTML, multipart/form-data
// encoding algorithm).
const ESCAPED_CHARS: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' }

function unescapeName<T extends string | undefined>(text: T): T {
  return text?.replace(/%(?:22|0d|0a)/gi, (code) => ESCAPED_CHARS[code.toLowerCase()] as string) as T
}

/** Parses an extended value (RFC 8187): charset, language and percent-encoded text, separated by quotes. */
function parseExtendedValue(text: string): string | undefined {
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
