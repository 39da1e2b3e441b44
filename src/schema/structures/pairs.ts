// Values as pairs of names and texts, as queries and forms have them; nested ones as `author[id]` and `tags[]`.
import type { Attribute } from '../attribute.ts'
import { type Delimiter, getDelimiter } from './array.ts'
import { getChildAttribute } from '../children.ts'
import { isJsonText } from './json.ts'

/** Takes texts under a name, several of them as one; false when they would be read as others. */
type AddPair = (name: string, texts: readonly string[], delimiter?: Delimiter) => boolean

/** Writes a query. A comma in an element is escaped, and tells itself from those between them. */
export const addToQuery =
  (pairs: string[]): AddPair =>
  (name, texts, delimiter = ',') => {
    const isComma = delimiter === ','
    if (!isComma && texts.some((one) => one.includes(delimiter))) return false
    pairs.push(`${escapeFormText(name)}=${texts.map(escapeFormText).join(isComma ? ',' : escapeFormText(delimiter))}`)
    return true
  }

const escapeFormText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** Writes a multipart body. */
export const addToForm =
  (form: FormData): AddPair =>
  (name, texts, delimiter) => {
    if (delimiter !== undefined && texts.some((one) => one.includes(delimiter))) return false
    form.append(name, texts.join(delimiter))
    return true
  }

/** Writes a value under a name: a structure and a list as the pairs of their parts. */
export function writePairs(add: AddPair, name: string, value: unknown, attribute: Attribute | undefined): void {
  if (value === undefined) return
  if (isJsonText(attribute)) add(name, [JSON.stringify(value)])
  else if (Array.isArray(value)) {
    const delimiter = getDelimiter(attribute)
    // The text of no characters is the list of no elements, not of one empty text.
    const isOne = delimiter !== undefined && !(value.length === 1 && value[0] === '') && !value.some(isNullish)
    if (isOne && add(name, value.map(String), delimiter)) return
    // The parts of a structure in a list find each other by the number of their element.
    const numbered = value.some(isObjectLike)
    for (const [i, one] of value.entries())
      writePairs(add, numbered ? `${name}[${i}]` : `${name}[]`, one, getChildAttribute(attribute, ''))
  } else if (isObjectLike(value))
    for (const [key, one] of Object.entries(value)) writePairs(add, `${name}[${key}]`, one, getChildAttribute(attribute, key))
  else if (value !== null) add(name, [String(value)])
}

/** Whether a value is undefined or null. */
export const isNullish = (value: unknown): boolean => value === undefined || value === null

/** Whether a value has parts. */
export const isObjectLike = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether pairs can say a value: they have no null, and no list or structure without anything in it. */
export function canWritePairs(value: unknown, attribute: Attribute | undefined): boolean {
  if (isJsonText(attribute)) return true
  if (isNullish(value)) return false
  if (!isObjectLike(value)) return true
  const below = Object.values(value)
  if (below.length === 0) return Array.isArray(value) && getDelimiter(attribute) !== undefined
  return Object.entries(value).every(([key, one]) =>
    canWritePairs(one, getChildAttribute(attribute, Array.isArray(value) ? '' : key)),
  )
}
