// Names in code: identifiers made of whatever a document calls its parts, each given once.
import { toPascalCase } from '../../util/naming.ts'

// Words of the language, and values that every module has: shadowing them would only confuse.
const RESERVED_WORDS = new Set(
  `abstract any as async await boolean break case catch class const constructor continue debugger default delete do else
enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let
module namespace never new null number object of package private protected prototype public readonly require return satisfies
set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield
arguments globalThis process console Array ArrayBuffer BigInt Blob Boolean Buffer Date Error EvalError Event File FormData
Function Headers Infinity Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError Record Reflect RegExp Request
Response Set String Symbol SyntaxError TypeError URL URLSearchParams WeakMap WeakSet
app application collectionOf controller endpoint inherit mediaType notWritten payloadOf response route security t verifier
verifiers allOrNone atLeastOne atMostOne exactlyOne Principal`
    .split(/\s+/)
    .map((word) => word.trim()),
)

/** Gives names, none of them twice. */
export class NameRegistry {
  readonly #used = new Set<string>()
  readonly #reserved: ReadonlySet<string>

  /** With a set of names that are not given either. */
  constructor(reserved: ReadonlySet<string> = RESERVED_WORDS) {
    this.#reserved = reserved
  }

  /** The wanted name, or one like it: the endings are tried before numbers. */
  reserve(wanted: string, ...endings: readonly string[]): string {
    const tries = [wanted, ...endings.map((ending) => wanted + ending)]
    let name = tries.find((one) => this.#isFree(one))
    for (let n = 2; name === undefined; n++) if (this.#isFree(`${wanted}${n}`)) name = `${wanted}${n}`
    this.#used.add(name.toLowerCase())
    return name
  }

  // Files on some systems differ in more than case, and so should what is read beside each other.
  #isFree(name: string): boolean {
    return !this.#reserved.has(name) && !this.#used.has(name.toLowerCase())
  }
}

/** Names that objects inherit, which would be read where nothing is declared. */
export const INHERITED_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
])

/** A name for a type, such as `PetStore`; `otherwise` if nothing of the text can be in a name. */
export function toTypeName(text: string, otherwise: string): string {
  const made = toPascalCase(stripAccents(text))
  if (made === '') return otherwise
  return /^\d/.test(made) ? otherwise + made : made
}

/** A name for a value, such as `petStore`; capitals at its start become small together: `APIKey` is `apiKey`. */
export function toValueName(text: string, otherwise: string): string {
  const made = toTypeName(text, toTypeName(otherwise, 'Value'))
  return made.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (capitals) => capitals.toLowerCase())
}

/** A name for a file, such as `pet-store`. */
export const toFileName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z]+)(?=[A-Z][a-z])/g, (_, a = '', b = '', c = '') =>
      c === '' ? `${a}-${b}` : `${c}-`,
    )
    .toLowerCase()

const stripAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
