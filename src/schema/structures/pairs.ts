// Values as pairs of names and texts, as queries and forms have them; nested ones as `author[id]` and `tags[]`.
import type { Attribute } from '../attribute.ts'
import { type Delimiter, delimitedOf } from './array.ts'
import { childAt } from './children.ts'
import { isJsonText } from './json.ts'

/** Where named texts are written to. */
interface PairsTarget {
  add(name: string, value: string): void
  /** Writes a list as one text; false when it would be read as another list. */
  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean
}

/** A query that is being written. */
export class QueryText implements PairsTarget {
  readonly pairs: string[] = []

  add(name: string, value: string): void {
    this.pairs.push(`${escaped(name)}=${escaped(value)}`)
  }

  // A comma in an element is escaped, and tells itself from those between them.
  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean {
    if (delimiter !== ',' && elements.some((one) => one.includes(delimiter))) return false
    this.pairs.push(`${escaped(name)}=${elements.map(escaped).join(delimiter === ',' ? ',' : escaped(delimiter))}`)
    return true
  }
}

const escaped = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** A multipart body that is being written. */
export class FormText implements PairsTarget {
  readonly form: FormData = new FormData()

  add(name: string, value: string): void {
    this.form.append(name, value)
  }

  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean {
    if (elements.some((one) => one.includes(delimiter))) return false
    this.form.append(name, elements.join(delimiter))
    return true
  }
}

/** Writes a value under a name: a structure and a list as the pairs of their parts. */
export function writePairs(target: PairsTarget, name: string, value: unknown, attribute: Attribute | undefined): void {
  if (value === undefined) return
  if (attribute !== undefined && isJsonText(attribute)) return target.add(name, JSON.stringify(value))
  if (value === null) return
  if (Array.isArray(value)) appendList(target, name, value, attribute)
  else if (isStructure(value)) {
    for (const [key, one] of Object.entries(value))
      writePairs(target, `${name}[${key}]`, one, attribute && childAt(attribute, key))
  } else target.add(name, String(value))
}

function appendList(
  target: PairsTarget,
  name: string,
  list: readonly unknown[],
  attribute: Attribute | undefined,
): void {
  const delimited = attribute && delimitedOf(attribute)
  // The text of no characters is the list of no elements, not of one empty text.
  if (delimited !== undefined && !(list.length === 1 && list[0] === '') && !list.some(isNothing)) {
    if (target.addList(name, list.map(String), delimited.delimiter)) return
  }
  // The parts of a structure in a list find each other by the number of their element.
  const numbered = list.some(isStructure)
  for (const [i, one] of list.entries())
    writePairs(target, numbered ? `${name}[${i}]` : `${name}[]`, one, attribute && childAt(attribute, ''))
}

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** Whether a value has parts. */
export const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether pairs can say a value: they have no null, and no list or structure without anything in it. */
export function isWritable(value: unknown, attribute: Attribute | undefined): boolean {
  if (attribute !== undefined && isJsonText(attribute)) return true
  if (isNothing(value)) return false
  if (!isStructure(value)) return true
  const below = Object.values(value)
  if (below.length === 0) return Array.isArray(value) && attribute !== undefined && delimitedOf(attribute) !== undefined
  return Object.entries(value).every(([key, one]) =>
    isWritable(one, attribute && childAt(attribute, Array.isArray(value) ? '' : key)),
  )
}
