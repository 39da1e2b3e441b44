// The tree of named values: `author[id]` and `tags[]` become nested ones. Queries, forms and multipart bodies share it.
import type { IssueCode, IssueDetail } from '../../errors.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { escapePointer } from '../../schema/issue.ts'
import type { Loading } from '../../schema/loading.ts'
import { type SplitRule, getSplitRule } from '../../schema/structures/array.ts'
import { getChildAttribute, hasAttributeWhere } from '../../schema/children.ts'
import { isJsonText } from '../../schema/structures/json.ts'

/** Values by name, as loaders take them from text; nothing is inherited, so that no name can reach a prototype. */
export type RawTree = { [name: string]: unknown }

// Objects made by a function are faster to fill and to read than those of Object.create(null); its prototype is as bare.
function makeNullObject(): void {}
const nullPrototype: object = Object.freeze(Object.create(null))
const NullObject = Object.assign(makeNullObject, { prototype: nullPrototype }) as unknown as new () => RawTree

/** Makes an empty tree. */
export function createTree(): RawTree {
  return new NullObject()
}

/** Declared names by their length, so that a name in a text is recognised without cutting it out. */
export type QueryNames = readonly NameGroup[]

/** Names of one length: a few to compare with, or the place of the character that tells more of them apart. */
interface NameGroup {
  readonly list: readonly string[]
  /** Where to look for the way on; -1 when the list is to be compared. */
  readonly at: number
  /** The names that remain, by the lower bits of the character there. */
  readonly next: readonly (NameGroup | undefined)[]
}

// Comparing up to so many names, which differ early, takes no longer than looking for the right one.
const MAX_COMPARED = 2
const BITS = 127
const NO_GROUPS: readonly (NameGroup | undefined)[] = []

/** Prepares the declared names of one action or payload. */
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

/** The names in groups by the character at which most of them differ; undefined when there is none. */
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

/** The forms of names, and the names whose values are lists in one text. */
export interface TreeForm {
  readonly names: QueryNames
  /** The most steps a name may have: `a[b][c]` has three. */
  readonly depth: number
  /** The structure that the tree is loaded with, where one of its lists comes in one text. */
  readonly lists: Attribute | undefined
  /** True when some of its values are texts of JSON. */
  readonly hasJsonTexts: boolean
}

/** Prepares the form of what is loaded with a structure; `closed` is false where all names are free. */
export function createTreeForm(structure: Attribute, depth: number, closed = true): TreeForm {
  const splits = hasAttributeWhere(structure, (one) => getSplitRule(one) !== undefined)
  return {
    names: groupByLength(closed ? Object.keys(structure.core.children) : []),
    depth,
    lists: splits ? structure : undefined,
    hasJsonTexts: hasAttributeWhere(structure, isJsonText),
  }
}

/** Puts values into a tree by their names, and reports the names that have no place there. */
export class TreeWriter {
  readonly tree: RawTree
  readonly form: TreeForm
  readonly loading: Loading

  constructor(tree: RawTree, form: TreeForm, loading: Loading) {
    this.tree = tree
    this.form = form
    this.loading = loading
  }

  /** Adds a value under the name that is `text` from `start` to `end`, which has no brackets. */
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

  /** Adds a text under a name, in pieces where the name is that of a list in one text. */
  setText(name: string, text: string): void {
    const list = this.findList(name)
    if (list === undefined) this.set(name, text)
    else this.setElements(name, splitDelimited(text, list), list)
  }

  /** Adds the elements of a list that came in one text. */
  setElements(name: string, elements: readonly string[], { max }: SplitRule): void {
    if (elements.length > max) this.refuse(name, 'max-items', { limit: max })
    this.set(name, elements.slice(0, max))
  }

  /** How the value of a name is divided, where the name is that of a list in one text. */
  findList(name: string): SplitRule | undefined {
    let found = this.form.lists
    if (found === undefined) return undefined
    for (const step of splitName(name)) found = found && getChildAttribute(found, step)
    if (found !== undefined && name.endsWith('[]')) found = getChildAttribute(found, '')
    return found && getSplitRule(found)
  }

  /** Reports an issue of a name, unless the name is one to ignore. */
  refuse(name: string, code: IssueCode, detail?: IssueDetail): void {
    const all = splitName(name)
    if (this.loading.ignores?.(all[0] as string)) return
    // Which element `items[][id]` means is not in the name.
    const unsaid = all.indexOf('', 1)
    const steps = unsaid < 0 ? all : all.slice(0, unsaid)
    this.loading.failAt(steps.map((step) => `/${escapePointer(step)}`).join(''), code, detail)
  }

  /** Adds a value under the name that is `text` from `start` to `end`, which has brackets. */
  addNested(text: string, start: number, end: number, value: unknown): void {
    const bracket = findBracket(text, start)
    // The whole name is checked before anything is built: a refused one leaves nothing behind.
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

/** The structure under a name, made if there is nothing; undefined when there is something else. */
function ensureStructure(tree: RawTree, key: string): RawTree | undefined {
  const old = tree[key]
  if (old === undefined) {
    const made = new NullObject()
    tree[key] = made
    return made
  }
  return old instanceof NullObject ? (old as RawTree) : undefined
}

/** The element of a list that `items[][id]` adds to: the last one, or a new one when that has an `id` already. */
function ensureElement(tree: RawTree, key: string, rest: string): RawTree | undefined {
  const old = tree[key]
  if (old !== undefined && !Array.isArray(old)) return undefined
  const last: unknown = old?.[old.length - 1]
  if (last instanceof NullObject && !hasValueAt(last as RawTree, rest)) return last as RawTree
  const made = new NullObject()
  if (old === undefined) tree[key] = [made]
  else old.push(made)
  return made
}

// A name with a list in it always has a place in the current element.
function hasValueAt(element: RawTree, rest: string): boolean {
  if (rest.includes('[]')) return false
  let found: unknown = element
  for (const step of rest.slice(1, -1).split('][')) {
    if (!(found instanceof NullObject) || (found as RawTree)[step] === undefined) return false
    found = (found as RawTree)[step]
  }
  return true
}

/** The pieces of a text; the text of no characters is the list of no elements. */
export function splitDelimited(text: string, { delimiter, max }: SplitRule): string[] {
  return text === '' ? [] : text.split(delimiter, max + 1)
}

// A value sent again makes a list, and a list sent as JSON adds its elements; a structure takes no value beside it.
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

/** The declared name at a place, so that the tree's keys are strings the engine has hashed already; else a copy. */
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

/** How many steps a name has whose first bracket is at `at`; -1 when its brackets are malformed or `[]` comes before another. */
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

/** The steps of a name; a malformed one is its own single step. The last brackets of a list are no step, others an empty one. */
export function splitName(name: string): string[] {
  const bracket = findBracket(name)
  if (bracket < 1 || measureDepth(name, bracket, name.length) < 0) return [name]
  const inner = name.slice(bracket + 1, -1).split('][')
  return [name.slice(0, bracket), ...(inner.at(-1) === '' ? inner.slice(0, -1) : inner)]
}
