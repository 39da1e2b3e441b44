// Prints source text like a formatter; every text of the document becomes an escaped literal.

/** An expression; it is printed on one line where it fits. */
export type Code =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Code[] }
  | { readonly kind: 'members'; readonly members: readonly CodeMember[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Code[] }
  | { readonly kind: 'arrow'; readonly body: Code }

/** A member of an object; with `late`, a getter. */
interface CodeMember {
  readonly name: string
  readonly value: Code
  readonly late?: boolean
}

const LINE_WIDTH = 120

/** Builds an expression from a name, or from a literal printed by `quoteLiteral`. */
export const buildRaw = (text: string): Code => ({ kind: 'text', text })

/** Builds a function call. */
export const buildCall = (callee: string, ...args: readonly Code[]): Code => ({ kind: 'call', callee, args })

/** Builds an arrow function without parameters. */
export const buildArrow = (body: Code): Code => ({ kind: 'arrow', body })

/** Builds an array. */
export const buildList = (items: readonly Code[]): Code => ({ kind: 'list', items })

/** Builds an object; members without a value are left out. */
export function buildObject(entries: Iterable<readonly [name: string, value: Code | undefined, late?: boolean]>): Code {
  const members = [...entries].flatMap(([name, value, late = false]) =>
    value === undefined ? [] : [{ name, value, late }],
  )
  return { kind: 'members', members }
}

/** Prints an expression that begins at a column of a line with the given indent; `after` reserves space at its end. */
export function printCode(code: Code, indent: number = 0, column: number = indent, after: number = 0): string {
  const line = printFlat(code)
  if (line !== undefined && column + line.length + after <= LINE_WIDTH) return line
  const inner = indent + 2
  const pad = ' '.repeat(inner)
  const end = `\n${' '.repeat(indent)}`
  if (code.kind === 'text') return code.text
  if (code.kind === 'list') {
    const items = isNumberList(code.items)
      ? fillLines(
          code.items.map(({ text }) => `${text},`),
          inner,
        )
      : code.items.map((item) => `${pad}${printCode(item, inner, inner, 1)},\n`)
    return `[\n${items.join('').trimEnd()}${end}]`
  }
  if (code.kind === 'members') {
    const lines = code.members.map((one) => `${pad}${printMember(one, inner)},\n`)
    return `{\n${lines.join('').trimEnd()}${end}}`
  }
  if (code.kind === 'arrow') return `() =>\n${pad}${printCode(code.body, inner, inner, after)}`
  return printCall(code, indent, column, after)
}

type TextCode = Extract<Code, { readonly kind: 'text' }>

const isNumberList = (items: readonly Code[]): items is readonly TextCode[] =>
  items.every((item) => item.kind === 'text' && /^-?[\d_.]+$/.test(item.text))

// Numbers share lines.
function fillLines(items: readonly string[], indent: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + item.length <= LINE_WIDTH) lines[lines.length - 1] = `${last} ${item}`
    else lines.push(' '.repeat(indent) + item)
  }
  return lines.map((line) => `${line}\n`)
}

function printMember({ name, value, late }: CodeMember, indent: number): string {
  const key = printKey(name)
  if (late !== true && isShorthand(name, value)) return name
  if (late !== true) {
    const column = indent + key.length + 2
    const printed = printCode(value, indent, column, 1)
    // A long text begins on a new line, unless that gains almost nothing.
    const isLong = value.kind === 'text' && key.length > 3 && column + printed.length + 1 > LINE_WIDTH
    return isLong ? `${key}:\n${' '.repeat(indent + 2)}${printed}` : `${key}: ${printed}`
  }
  const inner = indent + 2
  const printed = printCode(value, inner, inner + 'return '.length)
  return `get ${key}() {\n${' '.repeat(inner)}return ${printed}\n${' '.repeat(indent)}}`
}

// The last argument opens its braces on the line of the call, if the others fit before it.
function printCall({ callee, args }: CallCode, indent: number, column: number, after: number): string {
  const last = args.at(-1)
  const before = args.slice(0, -1).map(printFlat)
  const start = `${callee}(${before.map((one) => `${one}, `).join('')}`
  const isOpen = last !== undefined && (last.kind === 'members' || last.kind === 'list')
  if (
    isOpen &&
    args.at(-2)?.kind !== last.kind &&
    before.every((one) => one !== undefined) &&
    column + start.length < LINE_WIDTH
  )
    return `${start}${printCode(last, indent, column + start.length, 1 + after)})`
  const inner = indent + 2
  const lines = args.map((arg) => `${' '.repeat(inner)}${printCode(arg, inner, inner, 1)},\n`)
  return `${callee}(\n${lines.join('')}${' '.repeat(indent)})`
}

type CallCode = Extract<Code, { readonly kind: 'call' }>

function printFlat(code: Code): string | undefined {
  if (code.kind === 'arrow') return printFlatArrow(printFlat(code.body))
  if (code.kind === 'text') return code.text.includes('\n') ? undefined : code.text
  if (code.kind === 'members') {
    if (code.members.length === 0) return '{}'
    const all = code.members.map(({ name, value, late }) => (late === true ? undefined : printPair(name, value)))
    return all.every((one) => one !== undefined) ? `{ ${all.join(', ')} }` : undefined
  }
  const all = (code.kind === 'list' ? code.items : code.args).map(printFlat)
  if (!all.every((one) => one !== undefined)) return undefined
  return code.kind === 'list' ? `[${all.join(', ')}]` : `${code.callee}(${all.join(', ')})`
}

const printFlatArrow = (body: string | undefined): string | undefined =>
  body === undefined ? undefined : `() => ${body}`

function printPair(name: string, value: Code): string | undefined {
  const printed = printFlat(value)
  if (printed === undefined || isShorthand(name, value)) return printed
  return `${printKey(name)}: ${printed}`
}

const isShorthand = (name: string, value: Code): boolean =>
  value.kind === 'text' && value.text === name && printKey(name) === name

/** Prints the name of a member: without quotes if it is an identifier. */
function printKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__') return name
  // A computed name defines a member instead of the prototype.
  return name === '__proto__' ? `['__proto__']` : quoteLiteral(name)
}

// Quotes a text as a literal. Control and format characters and quotes are escaped, so that no text can end its literal.
export function quoteLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|['"]/gu, (character) => {
    if (character === '"' || character === "'") return character === quote ? `\\${character}` : character
    return SHORT_ESCAPES[character] ?? escapeCharacter(character)
  })
  return `${quote}${escaped}${quote}`
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Builds the literal of a value: data, patterns, dates, large integers. */
export function buildLiteral(value: unknown): Code {
  if (typeof value === 'string') return buildRaw(quoteLiteral(value))
  if (typeof value === 'bigint') return buildRaw(`${value}n`)
  if (typeof value === 'number') return buildRaw(printNumber(value))
  if (value instanceof RegExp) return buildRaw(printPattern(value))
  if (value instanceof Date) return buildRaw(`new Date(${quoteLiteral(value.toISOString())})`)
  if (Array.isArray(value)) return buildList(value.map(buildLiteral))
  if (typeof value === 'object' && value !== null)
    return buildObject(Object.entries(value).map(([name, one]) => [name, buildLiteral(one)] as const))
  return buildRaw(value === true || value === false ? String(value) : 'null')
}

// Digits in groups of three are easier to read.
function printNumber(value: number): string {
  if (Object.is(value, -0)) return '0'
  const text = String(value)
  return /^-?\d{5,}$/.test(text) ? text.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '_') : text
}

// The source of a RegExp contains no line breaks and no unescaped slash.
function printPattern(pattern: RegExp): string {
  const plain = /^[\x20-\x7e]+$/.test(pattern.source)
  if (plain && !pattern.source.startsWith('*')) return String(pattern)
  const args =
    pattern.flags === '' ? [quoteLiteral(pattern.source)] : [quoteLiteral(pattern.source), quoteLiteral(pattern.flags)]
  return `new RegExp(${args.join(', ')})`
}
