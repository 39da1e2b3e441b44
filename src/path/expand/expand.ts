// The inverse of matching: builds the path for given arguments, and proves it by matching it again.

import { type Failed, isFailed } from '../../util/failed.ts'
import { encodeCapture, encodeLiteral, encodeWildcard } from '../encode.ts'
import { ExpandError, type ExpandProblem } from '../errors.ts'
import { type PathNode, listRequiredNames, listVariables } from '../syntax/ast.ts'
import type { ExpandArgs, PathPattern } from '../types.ts'
import { DOT_SEGMENT, fillTemplate, type SegmentTemplate, buildTemplate } from './segment-template.ts'

interface ExpandValues {
  readonly values: ReadonlyMap<string, string>
  readonly splat: readonly string[]
}

interface PathDraft {
  readonly path: string
  readonly used: readonly string[]
  readonly splat: number
}

const MAX_STEPS = 20_000
const MAX_DRAFTS = 256

/** A function that builds the path of a pattern for given arguments. */
export function createExpander(pattern: PathPattern): (args: ExpandArgs) => string {
  let template: SegmentTemplate | null | undefined
  return (args) => {
    if (template === undefined) template = buildTemplate(pattern)
    return (template === null ? null : fillTemplate(template, args)) ?? expandPattern(pattern, args)
  }
}

function expandPattern(pattern: PathPattern, args: ExpandArgs): string {
  const given = readArgs(pattern, args)
  const missing = pattern.required.filter((name) => !given.values.has(name))
  if (missing.length > 0)
    throw createExpandError(pattern, 'missing', missing, [`${quoteNames(missing)} is missing`, 'Give every required argument'])
  let problem: ExpandError | null = null
  let drafts = 0
  for (const draft of new PathDrafts(given).visit(pattern.root, { path: '', used: [], splat: 0 })) {
    if (drafts++ === MAX_DRAFTS) break
    if (draft.used.length < given.values.size || draft.splat < given.splat.length) continue
    const checked = checkPath(pattern, given, draft.path)
    if (!isFailed(checked)) return checked.path
    if (problem === null || checked.fault.problem === 'segment') problem = checked.fault
  }
  throw problem ?? explainNoForm(pattern, given)
}

/** Checks that a path leads back to the arguments, and writes it so that no parser changes it. */
function checkPath(pattern: PathPattern, given: ExpandValues, path: string): { readonly path: string } | Failed<ExpandError> {
  const quoted = JSON.stringify(path)
  if (DOT_SEGMENT.test(path)) {
    const remedy = 'URL parsers remove such segments, encoded or not; use another value'
    return {
      fault: createExpandError(pattern, 'segment', listNames(given), [`the path ${quoted} would have a segment "." or ".."`, remedy]),
    }
  }
  // Two slashes in front are read as a host name; the encoded slash means the same to a wildcard.
  const safe = path.startsWith('//') ? `/%2F${path.slice(2)}` : path
  if (isRoundTrip(pattern, given, safe)) return { path: safe }
  if (safe !== path) {
    const remedy = 'Do not let the first segment be empty'
    return {
      fault: createExpandError(pattern, 'segment', listNames(given), [`the path ${quoted} would be read as a host name`, remedy]),
    }
  }
  const empty = listNames(given).filter((name) => given.values.get(name) === '')
  if (empty.length > 0) {
    const remedy = 'Give at least one character, or leave an optional argument out'
    return { fault: createExpandError(pattern, 'empty', empty, [`${quoteNames(empty)} is empty`, remedy]) }
  }
  const remedy = 'Use values that the pattern can capture in these places'
  return {
    fault: createExpandError(pattern, 'ambiguous', listNames(given), [
      `the path ${quoted} does not lead back to these arguments`,
      remedy,
    ]),
  }
}

function listNames({ values, splat }: ExpandValues): string[] {
  return splat.length > 0 ? [...values.keys(), 'splat'] : [...values.keys()]
}

function isRoundTrip(pattern: PathPattern, given: ExpandValues, path: string): boolean {
  const params = pattern.match(path)
  if (params === null) return false
  const { splat } = params
  const same =
    pattern.wildcards === 0 ||
    (Array.isArray(splat) && splat.length === given.splat.length && splat.every((value, i) => value === given.splat[i]))
  return same && pattern.names.every((name) => params[name] === (given.values.get(name) ?? null))
}

function explainNoForm(pattern: PathPattern, given: ExpandValues): ExpandError {
  if (given.splat.length !== pattern.wildcards) {
    const detail = `${given.splat.length} of ${pattern.wildcards} wildcards have a value`
    return createExpandError(pattern, 'missing', ['splat'], [detail, 'Give "splat" one value per wildcard'])
  }
  const names = listNames(given)
  const remedy = 'Give the arguments of one alternative, and all of those that stand together in an optional part'
  return createExpandError(pattern, 'ambiguous', names, [`no form of the pattern takes exactly ${quoteNames(names)}`, remedy])
}

/** Lists the ways to write the pattern with the given arguments, best first. */
class PathDrafts {
  readonly values: ExpandValues
  steps = 0

  constructor(given: ExpandValues) {
    this.values = given
  }

  *visit(node: PathNode, draft: PathDraft): Generator<PathDraft> {
    if (this.steps++ > MAX_STEPS) return
    switch (node.kind) {
      case 'char':
        yield { ...draft, path: draft.path + encodeLiteral(node.code) }
        break
      case 'capture':
      case 'wildcard':
        yield* this.visitVariable(node.kind, node.name, draft)
        break
      case 'seq':
        yield* this.visitSequence(node.items, 0, draft)
        break
      case 'alt':
        for (const branch of node.branches) if (this.isPossible(branch)) yield* this.visit(branch, draft)
        break
      case 'optional':
        yield* this.visitOptional(node.item, draft)
        break
      default:
    }
  }

  *visitVariable(kind: 'capture' | 'wildcard', name: string | null, draft: PathDraft): Generator<PathDraft> {
    const value = name === null ? this.values.splat[draft.splat] : this.values.values.get(name)
    if (value === undefined) return
    const path = draft.path + (kind === 'capture' ? encodeCapture(value) : encodeWildcard(value))
    yield name === null ? { ...draft, path, splat: draft.splat + 1 } : { ...draft, path, used: [...draft.used, name] }
  }

  *visitSequence(items: readonly PathNode[], from: number, draft: PathDraft): Generator<PathDraft> {
    let current = draft
    let path = draft.path
    for (let i = from; i < items.length; i++) {
      const item = items[i] as PathNode
      if (item.kind === 'char') {
        path += encodeLiteral(item.code)
        continue
      }
      const choices = this.visit(item, { ...current, path })
      if (item.kind === 'optional' || item.kind === 'alt') {
        for (const next of choices) yield* this.visitSequence(items, i + 1, next)
        return
      }
      const [next] = choices
      if (next === undefined) return
      current = next
      path = next.path
    }
    yield { ...current, path }
  }

  /** A part with variables is wanted when they are given; one without is left out, except for the path's first slash. */
  *visitOptional(item: PathNode, draft: PathDraft): Generator<PathDraft> {
    const wanted = listVariables(item).length > 0 || (draft.path === '' && item.kind === 'char' && item.code === 47)
    if (!wanted) yield draft
    if (this.isPossible(item)) yield* this.visit(item, draft)
    if (wanted) yield draft
  }

  isPossible(node: PathNode): boolean {
    return listRequiredNames(node).every((name) => this.values.values.has(name))
  }
}

function readArgs(pattern: PathPattern, args: ExpandArgs): ExpandValues {
  const values = new Map<string, string>()
  let splat: string[] = []
  const unknown: string[] = []
  for (const [name, arg] of Object.entries(args)) {
    if (arg === null || arg === undefined) continue
    if (pattern.names.includes(name)) values.set(name, readArg(pattern, name, arg))
    else if (name !== 'splat' || pattern.wildcards === 0) unknown.push(name)
    else if (Array.isArray(arg)) splat = arg.map((each) => readArg(pattern, name, each))
    else throw createExpandError(pattern, 'type', [name], ['"splat" is no array', 'Give one value per wildcard, as an array'])
  }
  if (unknown.length === 0) return { values, splat }
  const known = pattern.wildcards > 0 ? [...pattern.names, 'splat'] : pattern.names
  const remedy = known.length === 0 ? 'The pattern takes no arguments' : `The pattern takes ${quoteNames(known)}`
  throw createExpandError(pattern, 'unknown', unknown, [`${quoteNames(unknown)} is unknown`, remedy])
}

function readArg(pattern: PathPattern, name: string, arg: unknown): string {
  const usable =
    typeof arg === 'string' ||
    typeof arg === 'bigint' ||
    typeof arg === 'boolean' ||
    (typeof arg === 'number' && Number.isFinite(arg))
  if (!usable) {
    const plain = typeof arg === 'number' ? String(arg) : `of type ${typeof arg}`
    const what = Array.isArray(arg) ? 'an array' : plain
    throw createExpandError(pattern, 'type', [name], [`"${name}" is ${what}`, 'Give a string, finite number, bigint or boolean'])
  }
  const text = String(arg)
  if (/\p{Surrogate}/u.test(text))
    throw createExpandError(pattern, 'encoding', [name], [`"${name}" holds half of a surrogate pair`, 'Give well-formed text'])
  return text
}

function quoteNames(names: readonly string[]): string {
  return names.length === 0 ? 'no arguments' : names.map((name) => JSON.stringify(name)).join(', ')
}

function createExpandError(
  { source }: PathPattern,
  problem: ExpandProblem,
  args: readonly string[],
  [detail, remedy]: readonly [detail: string, remedy: string],
): ExpandError {
  return new ExpandError(source, problem, args, `${detail}. ${remedy}`)
}
