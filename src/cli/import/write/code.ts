// Source text: expressions laid out as a formatter would, with every text of the document as an escaped literal.

/** An expression, which is written in one line where it fits. */
export type Code =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Code[] }
  | { readonly kind: 'members'; readonly members: readonly Member[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Code[] }
  | { readonly kind: 'arrow'; readonly body: Code }

/** A member of an object, by itself or made when it is asked for. */
interface Member {
  readonly name: string
  readonly value: Code
  readonly late?: boolean
}

const WIDTH = 120

/** An expression that is a name, or a literal that was written with `literal`. */
export const raw = (text: string): Code => ({ kind: 'text', text })

/** A call of a function. */
export const call = (callee: string, ...args: readonly Code[]): Code => ({ kind: 'call', callee, args })

/** A function without parameters. */
export const arrow = (body: Code): Code => ({ kind: 'arrow', body })

/** A list of expressions. */
export const list = (items: readonly Code[]): Code => ({ kind: 'list', items })

/** An object; members without a value are left out. */
export function object(entries: Iterable<readonly [name: string, value: Code | undefined, late?: boolean]>): Code {
  const members = [...entries].flatMap(([name, value, late = false]) =>
    value === undefined ? [] : [{ name, value, late }],
  )
  return { kind: 'members', members }
}

/** Writes an expression that begins at a column, in a line that has an indent. */
export function print(code: Code, indent: number = 0, column: number = indent, after: number = 0): string {
  const line = flat(code)
  if (line !== undefined && column + line.length + after <= WIDTH) return line
  const inner = indent + 2
  const pad = ' '.repeat(inner)
  const end = `\n${' '.repeat(indent)}`
  if (code.kind === 'text') return code.text
  if (code.kind === 'list') {
    const items = isNumbers(code.items)
      ? filled(
          code.items.map(({ text }) => `${text},`),
          inner,
        )
      : code.items.map((item) => `${pad}${print(item, inner, inner, 1)},\n`)
    return `[\n${items.join('').trimEnd()}${end}]`
  }
  if (code.kind === 'members') {
    const lines = code.members.map((one) => `${pad}${printMember(one, inner)},\n`)
    return `{\n${lines.join('').trimEnd()}${end}}`
  }
  if (code.kind === 'arrow') return `() =>\n${pad}${print(code.body, inner, inner, after)}`
  return printCall(code, indent, column, after)
}

type Text = Extract<Code, { readonly kind: 'text' }>

const isNumbers = (items: readonly Code[]): items is readonly Text[] =>
  items.every((item) => item.kind === 'text' && /^-?[\d_.]+$/.test(item.text))

// Numbers stand beside each other.
function filled(items: readonly string[], indent: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + item.length <= WIDTH) lines[lines.length - 1] = `${last} ${item}`
    else lines.push(' '.repeat(indent) + item)
  }
  return lines.map((line) => `${line}\n`)
}

function printMember({ name, value, late }: Member, indent: number): string {
  const key = keyText(name)
  if (late !== true && isShort(name, value)) return name
  if (late !== true) {
    const column = indent + key.length + 2
    const made = print(value, indent, column, 1)
    // A long text begins in a line of its own, unless that gains next to nothing.
    const isLong = value.kind === 'text' && key.length > 3 && column + made.length + 1 > WIDTH
    return isLong ? `${key}:\n${' '.repeat(indent + 2)}${made}` : `${key}: ${made}`
  }
  const inner = indent + 2
  const made = print(value, inner, inner + 'return '.length)
  return `get ${key}() {\n${' '.repeat(inner)}return ${made}\n${' '.repeat(indent)}}`
}

// The last argument opens its braces in the line of the call, if the others fit before it.
function printCall({ callee, args }: Call, indent: number, column: number, after: number): string {
  const last = args.at(-1)
  const before = args.slice(0, -1).map(flat)
  const start = `${callee}(${before.map((one) => `${one}, `).join('')}`
  const isOpen = last !== undefined && (last.kind === 'members' || last.kind === 'list')
  if (
    isOpen &&
    args.at(-2)?.kind !== last.kind &&
    before.every((one) => one !== undefined) &&
    column + start.length < WIDTH
  )
    return `${start}${print(last, indent, column + start.length, 1 + after)})`
  const inner = indent + 2
  const lines = args.map((arg) => `${' '.repeat(inner)}${print(arg, inner, inner, 1)},\n`)
  return `${callee}(\n${lines.join('')}${' '.repeat(indent)})`
}

type Call = Extract<Code, { readonly kind: 'call' }>

function flat(code: Code): string | undefined {
  if (code.kind === 'arrow') return arrowText(flat(code.body))
  if (code.kind === 'text') return code.text.includes('\n') ? undefined : code.text
  if (code.kind === 'members') {
    if (code.members.length === 0) return '{}'
    const all = code.members.map(({ name, value, late }) => (late === true ? undefined : pair(name, value)))
    return all.every((one) => one !== undefined) ? `{ ${all.join(', ')} }` : undefined
  }
  const all = (code.kind === 'list' ? code.items : code.args).map(flat)
  if (!all.every((one) => one !== undefined)) return undefined
  return code.kind === 'list' ? `[${all.join(', ')}]` : `${code.callee}(${all.join(', ')})`
}

const arrowText = (body: string | undefined): string | undefined => (body === undefined ? undefined : `() => ${body}`)

function pair(name: string, value: Code): string | undefined {
  const written = flat(value)
  if (written === undefined || isShort(name, value)) return written
  return `${keyText(name)}: ${written}`
}

const isShort = (name: string, value: Code): boolean =>
  value.kind === 'text' && value.text === name && keyText(name) === name

/** The name of a member: as it is if it can be an identifier. */
function keyText(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__') return name
  // As a computed name, it names a member and no prototype.
  return name === '__proto__' ? `['__proto__']` : quoted(name)
}

// Every character but plain ones is escaped, so that no text can end its literal or begin anything else.
/** A text as a literal. */
export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|['"]/gu, (sign) => {
    if (sign === '"' || sign === "'") return sign === quote ? `\\${sign}` : sign
    return SHORT[sign] ?? escapeOf(sign)
  })
  return `${quote}${escaped}${quote}`
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(sign: string): string {
  const code = sign.codePointAt(0) as number
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** A value as an expression: data, patterns, dates, large integers. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return raw(quoted(value))
  if (typeof value === 'bigint') return raw(`${value}n`)
  if (typeof value === 'number') return raw(numberText(value))
  if (value instanceof RegExp) return raw(patternText(value))
  if (value instanceof Date) return raw(`new Date(${quoted(value.toISOString())})`)
  if (Array.isArray(value)) return list(value.map(literal))
  if (typeof value === 'object' && value !== null)
    return object(Object.entries(value).map(([name, one]) => [name, literal(one)] as const))
  return raw(value === true || value === false ? String(value) : 'null')
}

// Digits in groups of three are easier to read.
function numberText(value: number): string {
  if (Object.is(value, -0)) return '0'
  const text = String(value)
  return /^-?\d{5,}$/.test(text) ? text.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '_') : text
}

// The source of a pattern has no line breaks and no slash that is not escaped.
function patternText(pattern: RegExp): string {
  const plain = /^[\x20-\x7e]+$/.test(pattern.source)
  if (plain && !pattern.source.startsWith('*')) return String(pattern)
  const args = pattern.flags === '' ? [quoted(pattern.source)] : [quoted(pattern.source), quoted(pattern.flags)]
  return `new RegExp(${args.join(', ')})`
}
