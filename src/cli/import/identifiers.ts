// Derives unique identifiers from the names in a document.
import { toPascalCase } from '../../util/naming.ts'

// Keywords, and globals and imports of generated modules, which must not be shadowed.
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

/** Reserves names, each only once. */
export class NameRegistry {
  readonly #used = new Set<string>()
  readonly #reserved: ReadonlySet<string>

  /** The given names are never reserved. */
  constructor(reserved: ReadonlySet<string> = RESERVED_WORDS) {
    this.#reserved = reserved
  }

  /** Returns the wanted name or a similar one: tries the endings first, then numbers. */
  reserve(wanted: string, ...endings: readonly string[]): string {
    const tries = [wanted, ...endings.map((ending) => wanted + ending)]
    let name = tries.find((one) => this.#isFree(one))
    for (let n = 2; name === undefined; n++) if (this.#isFree(`${wanted}${n}`)) name = `${wanted}${n}`
    this.#used.add(name.toLowerCase())
    return name
  }

  // Names must differ in more than case: some file systems are case-insensitive, and readers would confuse them.
  #isFree(name: string): boolean {
    return !this.#reserved.has(name) && !this.#used.has(name.toLowerCase())
  }
}

/** Names that objects inherit: reading them on an object without such a member returns the inherited value. */
export const INHERITED_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
])

/** Returns a name for a type, such as `PetStore`; `fallback` when no character of the text can be part of a name. */
export function toTypeName(text: string, fallback: string): string {
  const name = toPascalCase(stripAccents(text))
  if (name === '') return fallback
  return /^\d/.test(name) ? fallback + name : name
}

/** Returns a name for a value, such as `petStore`; leading capitals are lowercased together: `APIKey` becomes `apiKey`. */
export function toValueName(text: string, fallback: string): string {
  const name = toTypeName(text, toTypeName(fallback, 'Value'))
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (capitals) => capitals.toLowerCase())
}

/** Returns a name for a file, such as `pet-store`. */
export const toFileName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z]+)(?=[A-Z][a-z])/g, (_, a = '', b = '', c = '') =>
      c === '' ? `${a}-${b}` : `${c}-`,
    )
    .toLowerCase()

const stripAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
