// Writes values as pairs of names and texts for queries and forms; nested ones as `author[id]` and `tags[]`.
import type { Attribute } from '../attribute.ts'
import { getChildAttribute } from '../children.ts'
import { type Delimiter, getDelimiter, toSign } from './array.ts'
import { isJsonText } from './json.ts'

/** Adds texts under a name, joined by the delimiter; returns false if they could not be split again. */
type AddPair = (name: string, texts: readonly string[], delimiter?: Delimiter) => boolean

/** Writes to a query. A comma within an element is escaped, which distinguishes it from the delimiter. */
export const addToQuery =
  (pairs: string[]): AddPair =>
  (name, texts, delimiter = ',') => {
    const isComma = delimiter === ','
    const sign = toSign(delimiter)
    if (!isComma && texts.some((one) => one.includes(sign))) return false
    pairs.push(`${escapeFormText(name)}=${texts.map(escapeFormText).join(isComma ? ',' : escapeFormText(sign))}`)
    return true
  }

const escapeFormText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** Writes to a multipart body. */
export const addToForm =
  (form: FormData): AddPair =>
  (name, texts, delimiter) => {
    const sign = delimiter && toSign(delimiter)
    if (sign !== undefined && texts.some((one) => one.includes(sign))) return false
    form.append(name, texts.join(sign))
    return true
  }

/** Writes a value under a name; a structure or a list becomes the pairs of its parts. */
export function writePairs(add: AddPair, name: string, value: unknown, attribute: Attribute | undefined): void {
  if (value === undefined) return
  if (isJsonText(attribute)) add(name, [JSON.stringify(value)])
  else if (Array.isArray(value)) {
    const delimiter = getDelimiter(attribute)
    // An empty text is an empty list, not a list with one empty text.
    const isJoinable = delimiter !== undefined && !(value.length === 1 && value[0] === '') && !value.some(isNullish)
    if (isJoinable && add(name, value.map(String), delimiter)) return
    // Elements that are structures are numbered, so that their parts stay together.
    const isNumbered = value.some(isObjectLike)
    for (const [i, one] of value.entries())
      writePairs(add, isNumbered ? `${name}[${i}]` : `${name}[]`, one, getChildAttribute(attribute, ''))
  } else if (isObjectLike(value))
    for (const [key, one] of Object.entries(value))
      writePairs(add, `${name}[${key}]`, one, getChildAttribute(attribute, key))
  else if (value !== null) add(name, [String(value)])
}

/** Returns whether a value is undefined or null. */
export const isNullish = (value: unknown): boolean => value === undefined || value === null

/** Returns whether a value is an object or an array. */
export const isObjectLike = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns whether pairs can express a value: they cannot express null, nor an empty list or structure. */
export function canWritePairs(value: unknown, attribute: Attribute | undefined): boolean {
  if (isJsonText(attribute)) return true
  if (isNullish(value)) return false
  if (!isObjectLike(value)) return true
  const members = Object.values(value)
  if (members.length === 0) return Array.isArray(value) && getDelimiter(attribute) !== undefined
  return Object.entries(value).every(([key, one]) =>
    canWritePairs(one, getChildAttribute(attribute, Array.isArray(value) ? '' : key)),
  )
}
