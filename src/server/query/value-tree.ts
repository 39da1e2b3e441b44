// Builds the tree of named values: `author[id]` and `tags[]` become nested ones. Queries, forms and multipart bodies
// share it.
import type { IssueCode, IssueDetail } from '../../errors.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { getChildAttribute, hasAttributeWhere } from '../../schema/children.ts'
import { escapePointer } from '../../schema/issue.ts'
import type { Loading } from '../../schema/loading.ts'
import { getSplitRule, type SplitRule } from '../../schema/structures/array.ts'
import { isJsonText } from '../../schema/structures/json.ts'

/** Values by name, as loaders read them from text; without a prototype, so that no name can reach one. */
export type RawTree = { [name: string]: unknown }

// Objects from a constructor are faster to fill and to read than those of Object.create(null); its prototype is just as
// empty.
function makeNullObject(): void {}
const nullPrototype: object = Object.freeze(Object.create(null))
const NullObject = Object.assign(makeNullObject, { prototype: nullPrototype }) as unknown as new () => RawTree

/** Creates an empty tree. */
export function createTree(): RawTree {
  return new NullObject()
}

/** Declared names by length, so that a name in a text is recognised without slicing it. */
export type QueryNames = readonly NameGroup[]

/** Names of one length: a few to compare with, or the index of the character that distinguishes most of them. */
interface NameGroup {
  readonly list: readonly string[]
  /** The index of the distinguishing character; -1 if the list is compared name by name. */
  readonly at: number
  /** The remaining names, by the lower bits of that character. */
  readonly next: readonly (NameGroup | undefined)[]
}

// Comparing up to this many names, which differ early, takes no longer than a lookup.
const MAX_COMPARED = 2
const BITS = 127
const NO_GROUPS: readonly (NameGroup | undefined)[] = []

/** Groups the declared names of one action or payload. */
export function groupByLength(names: Iterable<string>): QueryNames {
  const byLength: string[][] = []
  for (const name of names) {
    while (byLength.length <= name.length) byLength.push([])
    byLength[name.length]?.push(name)
  }
  return byLength.map(groupNames)
}

function groupNames(list: readonly string[]): NameGroup {
  const groups = list.length > MAX_COMPARED ? findBestGroups(list) : undefined
  if (groups === undefined) return { list, at: -1, next: NO_GROUPS }
  const { at, byCode } = groups
  const next = Array.from({ length: BITS + 1 }, (_, code) => {
    const group = byCode.get(code)
    return group && groupNames(group)
  })
  return { list, at, next }
}

/** Groups the names by the character at which most of them differ; undefined if all are equal. */
function findBestGroups(list: readonly string[]): { at: number; byCode: Map<number, string[]> } | undefined {
  let best: { at: number; byCode: Map<number, string[]> } | undefined
  for (let at = 0; at < (list[0] as string).length; at++) {
    const byCode = new Map<number, string[]>()
    for (const name of list) {
      const code = name.charCodeAt(at) & BITS
      const group = byCode.get(code)
      if (group === undefined) byCode.set(code, [name])
      else group.push(name)
    }
    if (byCode.size > (best?.byCode.size ?? 1)) best = { at, byCode }
  }
  return best
}

/** The declared names, and the structure of the values whose lists are sent as one text. */
export interface TreeForm {
  readonly names: QueryNames
  /** The most segments of a name: `a[b][c]` has three. */
  readonly depth: number
  /** The structure that loads the tree, if one of its lists is sent as one text. */
  readonly lists: Attribute | undefined
  /** Whether some of its values are JSON texts. */
  readonly hasJsonTexts: boolean
}

/** Creates the form of the values that a structure loads; `closed` is false if any name is valid. */
export function createTreeForm(structure: Attribute, depth: number, closed = true): TreeForm {
  const splits = hasAttributeWhere(structure, (one) => getSplitRule(one) !== undefined)
  return {
    names: groupByLength(closed ? Object.keys(structure.core.children) : []),
    depth,
    lists: splits ? structure : undefined,
    hasJsonTexts: hasAttributeWhere(structure, isJsonText),
  }
}

/** Writes values into a tree by name, and reports names that are invalid there. */
export class TreeWriter {
  readonly tree: RawTree
  readonly form: TreeForm
  readonly loading: Loading

  constructor(tree: RawTree, form: TreeForm, loading: Loading) {
    this.tree = tree
    this.form = form
    this.loading = loading
  }

  /** Adds a value under the name in `text` from `start` to `end`, which has no brackets. */
  addFlat(text: string, start: number, end: number, value: unknown): void {
    if (!putValue(this.tree, readName(text, start, end, this.form.names), value, false)) {
      this.refuse(text.slice(start, end), 'mixed')
    }
  }

  /** Adds a value under a name. */
  set(name: string, value: unknown): void {
    if (findBracket(name) < 0) this.addFlat(name, 0, name.length, value)
    else this.addNested(name, 0, name.length, value)
  }

  /** Adds a text under a name, split if the name is that of a list in one text. */
  setText(name: string, text: string): void {
    const list = this.findList(name)
    if (list === undefined) this.set(name, text)
    else this.setElements(name, splitDelimited(text, list), list)
  }

  /** Adds the elements of a list that was sent as one text. */
  setElements(name: string, elements: readonly string[], { max }: SplitRule): void {
    if (elements.length > max) this.refuse(name, 'max-items', { limit: max })
    this.set(name, elements.slice(0, max))
  }

  /** Returns the rule that splits the value of a name, if it is a list in one text. */
  findList(name: string): SplitRule | undefined {
    let found = this.form.lists
    if (found === undefined) return undefined
    for (const step of splitName(name)) found = found && getChildAttribute(found, step)
    if (found !== undefined && name.endsWith('[]')) found = getChildAttribute(found, '')
    return found && getSplitRule(found)
  }

  /** Reports an issue of a name, unless the name is ignored. */
  refuse(name: string, code: IssueCode, detail?: IssueDetail): void {
    const all = splitName(name)
    if (this.loading.shouldIgnore?.(all[0] as string)) return
    // The name `items[][id]` does not state which element it means.
    const unnamed = all.indexOf('', 1)
    const steps = unnamed < 0 ? all : all.slice(0, unnamed)
    this.loading.failAt(steps.map((step) => `/${escapePointer(step)}`).join(''), code, detail)
  }

  /** Adds a value under the name in `text` from `start` to `end`, which has brackets. */
  addNested(text: string, start: number, end: number, value: unknown): void {
    const bracket = findBracket(text, start)
    // The complete name is checked before anything is built: a rejected one leaves nothing behind.
    const depth = bracket === start ? -1 : measureDepth(text, bracket, end)
    if (depth < 0) return this.refuse(text.slice(start, end), 'unknown')
    const limit = this.form.depth
    if (depth > limit) return this.refuse(text.slice(start, bracket), 'depth', { limit })
    let tree = this.tree
    let key = readName(text, start, bracket, this.form.names)
    let at = bracket
    while (at < end && !(text.charCodeAt(at + 1) === CLOSE && at + 2 === end)) {
      const isList = text.charCodeAt(at + 1) === CLOSE
      const next = isList ? ensureElement(tree, key, text.slice(at + 2, end)) : ensureStructure(tree, key)
      if (next === undefined) return this.refuse(text.slice(start, at), 'mixed')
      if (isList) at += 2
      const close = text.indexOf(']', at)
      key = text.slice(at + 1, close)
      tree = next
      at = close + 1
    }
    if (!putValue(tree, key, value, at < end)) this.refuse(text.slice(start, at), 'mixed')
  }
}

const OPEN = 91
const CLOSE = 93

/** Returns the structure under a name, created if there is none; undefined if the value is not a structure. */
function ensureStructure(tree: RawTree, key: string): RawTree | undefined {
  const old = tree[key]
  if (old === undefined) {
    const structure = new NullObject()
    tree[key] = structure
    return structure
  }
  return old instanceof NullObject ? (old as RawTree) : undefined
}

/** Returns the element of a list that `items[][id]` adds to: the last one, or a new one if that already has an `id`. */
function ensureElement(tree: RawTree, key: string, rest: string): RawTree | undefined {
  const old = tree[key]
  if (old !== undefined && !Array.isArray(old)) return undefined
  const last: unknown = old?.[old.length - 1]
  if (last instanceof NullObject && !hasValueAt(last as RawTree, rest)) return last as RawTree
  const element = new NullObject()
  if (old === undefined) tree[key] = [element]
  else old.push(element)
  return element
}

// A name that contains a list always fits into the current element.
function hasValueAt(element: RawTree, rest: string): boolean {
  if (rest.includes('[]')) return false
  let found: unknown = element
  for (const step of rest.slice(1, -1).split('][')) {
    if (!(found instanceof NullObject) || (found as RawTree)[step] === undefined) return false
    found = (found as RawTree)[step]
  }
  return true
}

/** Splits a text into elements; an empty text has no elements. */
export function splitDelimited(text: string, { delimiter, max }: SplitRule): string[] {
  return text === '' ? [] : text.split(delimiter, max + 1)
}

// A repeated value makes a list, and a list sent as JSON adds its elements; a structure cannot also have a value.
function putValue(tree: RawTree, key: string, value: unknown, listed: boolean): boolean {
  const old = tree[key]
  if (old === undefined) tree[key] = listed ? [value] : value
  else if (old instanceof NullObject) return false
  else {
    const list: unknown[] = Array.isArray(old) ? old : [old]
    if (!listed && Array.isArray(value)) for (const element of value) list.push(element)
    else list.push(value)
    tree[key] = list
  }
  return true
}

/**
 * Returns the declared name at a position, so that the tree's keys are strings that the engine has already hashed;
 * otherwise a copy.
 */
function readName(text: string, start: number, end: number, byLength: QueryNames): string {
  const length = end - start
  let names = length < byLength.length ? byLength[length] : undefined
  while (names !== undefined && names.at >= 0) names = names.next[text.charCodeAt(start + names.at) & BITS]
  if (names === undefined) return text.slice(start, end)
  const { list } = names
  for (let i = 0; i < list.length; i++) {
    const name = list[i] as string
    let same = 0
    while (same < length && name.charCodeAt(same) === text.charCodeAt(start + same)) same++
    if (same === length) return name
  }
  return text.slice(start, end)
}

/**
 * Returns the number of segments of a name whose first bracket is at `at`; -1 if its brackets are malformed or `[]`
 * precedes another `[]`.
 */
function measureDepth(text: string, at: number, end: number): number {
  let depth = 1
  while (at < end) {
    if (text.charCodeAt(at) !== OPEN) return -1
    const first = ++at
    for (; at < end && text.charCodeAt(at) !== CLOSE; at++) if (text.charCodeAt(at) === OPEN) return -1
    if (at === end || (at === first && text.charCodeAt(at + 2) === CLOSE && at + 2 < end)) return -1
    depth++
    at++
  }
  return depth
}

function findBracket(text: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN || code === CLOSE) return at
  }
  return -1
}

/**
 * Splits a name into its segments; a malformed name is a single segment. The last brackets of a list are not a segment,
 * others are an empty one.
 */
export function splitName(name: string): string[] {
  const bracket = findBracket(name)
  if (bracket < 1 || measureDepth(name, bracket, name.length) < 0) return [name]
  const inner = name.slice(bracket + 1, -1).split('][')
  return [name.slice(0, bracket), ...(inner.at(-1) === '' ? inner.slice(0, -1) : inner)]
}
