// Expansion, the inverse of matching: builds the path for given arguments, and verifies it by matching it again.

import { type Failed, isFailed } from '../../util/failed.ts'
import { encodeCapture, encodeLiteral, encodeWildcard } from '../encode.ts'
import { ExpandError, type ExpandProblem } from '../errors.ts'
import { listRequiredNames, listVariables, type PathNode } from '../syntax/ast.ts'
import type { ExpandArgs, PathPattern } from '../types.ts'
import { buildTemplate, DOT_SEGMENT, fillTemplate, type SegmentTemplate } from './segment-template.ts'

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

/** Creates the function that expands a pattern. */
export function createExpander(pattern: PathPattern): (args: ExpandArgs) => string {
  let template: SegmentTemplate | null | undefined
  return (args) => {
    if (template === undefined) template = buildTemplate(pattern)
    return (template === null ? null : fillTemplate(template, args)) ?? expandPattern(pattern, args)
  }
}

function expandPattern(pattern: PathPattern, args: ExpandArgs): string {
  const values = readArgs(pattern, args)
  const missing = pattern.required.filter((name) => !values.values.has(name))
  if (missing.length > 0)
    throw createExpandError(pattern, 'missing', missing, [
      `${quoteNames(missing)} is missing`,
      'Give every required argument',
    ])
  let problem: ExpandError | null = null
  let drafts = 0
  for (const draft of new PathDrafts(values).visit(pattern.root, { path: '', used: [], splat: 0 })) {
    if (drafts++ === MAX_DRAFTS) break
    if (draft.used.length < values.values.size || draft.splat < values.splat.length) continue
    const checked = checkPath(pattern, values, draft.path)
    if (!isFailed(checked)) return checked.path
    if (problem === null || checked.fault.problem === 'segment') problem = checked.fault
  }
  throw problem ?? explainNoForm(pattern, values)
}

/** Checks that a path matches with the same arguments, and escapes it so that no parser changes it. */
function checkPath(
  pattern: PathPattern,
  values: ExpandValues,
  path: string,
): { readonly path: string } | Failed<ExpandError> {
  const quoted = JSON.stringify(path)
  if (DOT_SEGMENT.test(path)) {
    const remedy = 'URL parsers remove such segments, encoded or not; use another value'
    return {
      fault: createExpandError(pattern, 'segment', listNames(values), [
        `the path ${quoted} would have a segment "." or ".."`,
        remedy,
      ]),
    }
  }
  // Parsers read two leading slashes as a host name; for a wildcard, the encoded slash has the same meaning.
  const safe = path.startsWith('//') ? `/%2F${path.slice(2)}` : path
  if (isRoundTrip(pattern, values, safe)) return { path: safe }
  if (safe !== path) {
    const remedy = 'Do not let the first segment be empty'
    return {
      fault: createExpandError(pattern, 'segment', listNames(values), [
        `the path ${quoted} would be read as a host name`,
        remedy,
      ]),
    }
  }
  const empty = listNames(values).filter((name) => values.values.get(name) === '')
  if (empty.length > 0) {
    const remedy = 'Give at least one character, or leave an optional argument out'
    return { fault: createExpandError(pattern, 'empty', empty, [`${quoteNames(empty)} is empty`, remedy]) }
  }
  const remedy = 'Use values that the pattern can capture there'
  return {
    fault: createExpandError(pattern, 'ambiguous', listNames(values), [
      `the path ${quoted} does not lead back to these arguments`,
      remedy,
    ]),
  }
}

function listNames({ values, splat }: ExpandValues): string[] {
  return splat.length > 0 ? [...values.keys(), 'splat'] : [...values.keys()]
}

function isRoundTrip(pattern: PathPattern, values: ExpandValues, path: string): boolean {
  const params = pattern.match(path)
  if (params === null) return false
  const { splat } = params
  const isSameSplat =
    pattern.wildcards === 0 ||
    (Array.isArray(splat) &&
      splat.length === values.splat.length &&
      splat.every((value, i) => value === values.splat[i]))
  return isSameSplat && pattern.names.every((name) => params[name] === (values.values.get(name) ?? null))
}

function explainNoForm(pattern: PathPattern, values: ExpandValues): ExpandError {
  if (values.splat.length !== pattern.wildcards) {
    const detail = `${values.splat.length} of ${pattern.wildcards} wildcards have a value`
    return createExpandError(pattern, 'missing', ['splat'], [detail, 'Give "splat" one value per wildcard'])
  }
  const names = listNames(values)
  const remedy = 'Give the arguments of one alternative, and all of those that stand together in an optional part'
  return createExpandError(pattern, 'ambiguous', names, [
    `no form of the pattern takes exactly ${quoteNames(names)}`,
    remedy,
  ])
}

/** Generates the paths of the pattern with the given arguments, preferred ones first. */
class PathDrafts {
  readonly values: ExpandValues
  steps = 0

  constructor(values: ExpandValues) {
    this.values = values
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

  *visitSequence(items: readonly PathNode[], start: number, draft: PathDraft): Generator<PathDraft> {
    let current = draft
    let path = draft.path
    for (let i = start; i < items.length; i++) {
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

  /**
   * A part with variables is preferred if they are given; one without is left out, except for the path's leading slash.
   */
  *visitOptional(item: PathNode, draft: PathDraft): Generator<PathDraft> {
    const isPreferred =
      listVariables(item).length > 0 || (draft.path === '' && item.kind === 'char' && item.code === 47)
    if (!isPreferred) yield draft
    if (this.isPossible(item)) yield* this.visit(item, draft)
    if (isPreferred) yield draft
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
    else
      throw createExpandError(
        pattern,
        'type',
        [name],
        ['"splat" is no array', 'Give one value per wildcard, as an array'],
      )
  }
  if (unknown.length === 0) return { values, splat }
  const known = pattern.wildcards > 0 ? [...pattern.names, 'splat'] : pattern.names
  const remedy = known.length === 0 ? 'The pattern takes no arguments' : `The pattern takes ${quoteNames(known)}`
  throw createExpandError(pattern, 'unknown', unknown, [`${quoteNames(unknown)} is unknown`, remedy])
}

function readArg(pattern: PathPattern, name: string, arg: unknown): string {
  const isUsable =
    typeof arg === 'string' ||
    typeof arg === 'bigint' ||
    typeof arg === 'boolean' ||
    (typeof arg === 'number' && Number.isFinite(arg))
  if (!isUsable) {
    const described = typeof arg === 'number' ? String(arg) : `of type ${typeof arg}`
    const what = Array.isArray(arg) ? 'an array' : described
    throw createExpandError(
      pattern,
      'type',
      [name],
      [`"${name}" is ${what}`, 'Give a string, finite number, bigint or boolean'],
    )
  }
  const text = String(arg)
  if (/\p{Surrogate}/u.test(text))
    throw createExpandError(
      pattern,
      'encoding',
      [name],
      [`"${name}" holds half of a surrogate pair`, 'Give well-formed text'],
    )
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
