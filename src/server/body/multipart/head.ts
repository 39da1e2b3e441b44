// The head of a part of multipart/form-data (RFC 7578): its field name, file name and content type.
import type { Failed } from '../../../util/failed.ts'
import { type Reasoned, reasoned } from '../../failure/reasons.ts'
import { type ContentType, parseContentType } from '../content-type.ts'
import { safeName } from '../file.ts'
import { decodeUtf8 } from '../json.ts'

/** The head of a part. */
export interface PartHead {
  readonly name: string
  /** Undefined when the part is not sent as a file; empty when a form was sent with no file chosen. */
  readonly filename: string | undefined
  readonly type: ContentType | undefined
  /** The content type as sent. */
  readonly typeText: string | undefined
}

/** Parses the header lines of a part. */
export function parsePartHead(bytes: Uint8Array): PartHead | Failed<Reasoned> {
  const headers = parseLines(decodeUtf8(bytes))
  if (headers === undefined) return { fault: reasoned('part-head') }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (coding !== undefined && !PLAIN.has(coding)) return { fault: reasoned('part-coding') }
  const parameters = parseDisposition(headers.get('content-disposition') ?? '')
  const name = parameters?.get('name')
  if (parameters === undefined || name === undefined) return { fault: reasoned('part-name') }
  const extended = parameters.get('filename*')
  const filename = extended === undefined ? unquoted(parameters.get('filename')) : parseExtended(extended)
  if (extended !== undefined && filename === undefined) return { fault: reasoned('part-filename') }
  const typeText = headers.get('content-type')
  const type = typeText === undefined ? undefined : parseContentType(typeText)
  if (typeText !== undefined && type === undefined) return { fault: reasoned('part-type') }
  return { name: unquoted(name), filename: filename === undefined ? undefined : safeName(filename), type, typeText }
}

const PLAIN: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header's value holds none but the tab
const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\u0000-\u0008\u000a-\u001f\u007f]*)$/
const KNOWN: ReadonlySet<string> = new Set(['content-disposition', 'content-type', 'content-transfer-encoding'])

function parseLines(text: string | undefined): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  if (text === undefined) return undefined
  for (const line of text === '' ? [] : text.split('\r\n')) {
    const [, name, value] = LINE.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    const lower = name.toLowerCase()
    if (!KNOWN.has(lower)) continue
    if (headers.has(lower)) return undefined
    headers.set(lower, value.trimEnd())
  }
  return headers
}

const QUOTED = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/y
const LITERAL = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"([^"]*)"|([^\s";]+))/y

// Browsers send a backslash as it is, other clients escape with it. Where the second reading fails, the first is meant.
function parseDisposition(text: string): ReadonlyMap<string, string> | undefined {
  const start = /^form-data(?=[ \t;]|$)/i.exec(text)?.[0].length
  if (start === undefined) return undefined
  return parametersOf(text, start, QUOTED, true) ?? parametersOf(text, start, LITERAL, false)
}

function parametersOf(text: string, from: number, form: RegExp, escaped: boolean): Map<string, string> | undefined {
  const parameters = new Map<string, string>()
  for (let at = from; at < text.length; at = form.lastIndex) {
    form.lastIndex = at
    const match = form.exec(text)
    if (match === null) return undefined
    const name = (match[1] as string).toLowerCase()
    if (parameters.has(name)) return undefined
    const quoted = match[2]
    const unquoted = escaped ? quoted?.replace(/\\(["\\])/g, '$1') : quoted
    parameters.set(name, unquoted ?? (match[3] as string))
  }
  return parameters
}

// How browsers write the three characters that a quoted name cannot hold (HTML, multipart/form-data encoding algorithm).
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' }

function unquoted<T extends string | undefined>(text: T): T {
  return text?.replace(/%(?:22|0d|0a)/gi, (code) => ESCAPED[code.toLowerCase()] as string) as T
}

/** An extended value (RFC 8187): charset, language and percent-encoded text, separated by quotes. */
function parseExtended(text: string): string | undefined {
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
