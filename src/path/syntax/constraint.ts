// The `capture` option: the characters that each capture may take.

import type { CharSet } from '../../regexp/char-set.ts'
import { guardSeparator } from '../decode.ts'
import { PatternError } from '../errors.ts'
import { createCharNode, type PathNode } from './ast.ts'
import { parseCaptureRegExp } from './capture-regexp.ts'
import { type CaptureClass, createDecodedSet, getClassRanges, getLiteralRanges, SEGMENT_CHARS } from './char-set.ts'
import type { ResolveConstraint } from './parse-pattern.ts'

/** The constraint of one capture: a RegExp, a text, a character class, or a list of texts and RegExps. */
export type CaptureConstraint = RegExp | string | CaptureClass | readonly (RegExp | string | CaptureClass)[]

/** One constraint for all captures, or one per name. */
export type CaptureOption = CaptureConstraint | { readonly [name: string]: CaptureConstraint }

type CompiledConstraint = ReturnType<ResolveConstraint>

const DEFAULT_CONSTRAINT: CompiledConstraint = { body: createRepeat(SEGMENT_CHARS), constraintKey: '' }

/** Creates the function that returns the constraint of each capture to the parser. */
export function createResolver(source: string, option: CaptureOption | undefined): ResolveConstraint {
  return (name) => {
    const constraint = findCapture(option, name)
    return constraint === undefined ? DEFAULT_CONSTRAINT : compileConstraint(source, name, constraint)
  }
}

/** Returns the `capture` option for one name. */
export function findCapture(option: CaptureOption | undefined, name: string): CaptureConstraint | undefined {
  if (option === undefined || isCaptureConstraint(option)) return option
  return Object.hasOwn(option, name) ? option[name] : undefined
}

/** Returns the names that a `capture` option constrains individually. */
export function listConstrainedNames(option: CaptureOption | undefined): string[] {
  return option === undefined || isCaptureConstraint(option) ? [] : Object.keys(option)
}

/** Returns a frozen copy of the option, so that later changes do not affect the pattern. */
export function freezeCapture(option: CaptureOption): CaptureOption {
  if (Array.isArray(option)) return Object.freeze([...option])
  if (isCaptureConstraint(option)) return option
  const copy: { [name: string]: CaptureConstraint } = Object.create(null)
  for (const [name, constraint] of Object.entries(option))
    copy[name] = Array.isArray(constraint) ? Object.freeze([...constraint]) : constraint
  return Object.freeze(copy)
}

function compileConstraint(source: string, name: string, capture: CaptureConstraint): CompiledConstraint {
  if (Array.isArray(capture)) return compileList(source, name, capture)
  if (isCaptureClass(capture)) {
    return {
      body: createRepeat(createDecodedSet(getClassRanges(capture))),
      constraintKey: `class ${capture['~class']}`,
    }
  }
  return compileSingle(source, name, capture as RegExp | string)
}

function compileSingle(source: string, name: string, capture: RegExp | string): CompiledConstraint {
  if (isRegExp(capture))
    return { body: parseCaptureRegExp(capture, name), constraintKey: `regexp ${capture.flags} ${capture.source}` }
  if (typeof capture === 'string' && capture !== '')
    return { body: createLiteral(capture), constraintKey: `text ${capture}` }
  const problem = capture === '' ? 'is an empty text' : `is ${typeof capture}`
  throw new PatternError(
    source,
    0,
    `the capture option for "${name}" ${problem}`,
    'Give a RegExp, a text, a class of `charClasses`, or a list of texts and RegExps',
  )
}

function compileList(
  source: string,
  name: string,
  list: readonly (RegExp | string | CaptureClass)[],
): CompiledConstraint {
  if (list.length === 0)
    throw new PatternError(
      source,
      0,
      `the capture option for "${name}" is an empty list`,
      'List at least one text or RegExp, or leave the option out',
    )
  // In a list, a class counts as its name: the engine that this syntax comes from reads it so.
  const members = list.map((member) => compileSingle(source, name, isCaptureClass(member) ? member['~class'] : member))
  return {
    body: { kind: 'alt', branches: members.map(({ body }) => body) },
    constraintKey: `list ${JSON.stringify(members.map(({ constraintKey }) => constraintKey))}`,
  }
}

function createRepeat(set: CharSet): PathNode {
  return { kind: 'repeat', item: { kind: 'set', set }, min: 1, max: Number.POSITIVE_INFINITY, lazy: false }
}

function createLiteral(text: string): PathNode {
  const items = Array.from(text, (char): PathNode => {
    const code = char.codePointAt(0) ?? 0
    const ranges = code === 47 ? [47, 47, guardSeparator(47), guardSeparator(47)] : getLiteralRanges(code)
    return ranges.length === 2 ? createCharNode(code) : { kind: 'set', set: createDecodedSet(ranges) }
  })
  return { kind: 'seq', items }
}

function isCaptureConstraint(option: CaptureOption): option is CaptureConstraint {
  return typeof option === 'string' || Array.isArray(option) || isRegExp(option) || isCaptureClass(option)
}

function isCaptureClass(value: unknown): value is CaptureClass {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '~class')
}

function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
