// The `capture` option: which characters each capture may take.

import type { CharSet } from '../../regexp/char-set.ts'
import { guard } from '../decode.ts'
import { PatternError } from '../errors.ts'
import { charNode, type Node } from './ast.ts'
import { type CaptureClass, classRanges, decodedSet, literalRanges, SEGMENT } from './char-set.ts'
import type { Resolve } from './parse.ts'
import { parseRegExp } from './regexp.ts'

/** The constraint of one capture: a RegExp, a text, a character class, or a list of texts and RegExps. */
export type Capture = RegExp | string | CaptureClass | readonly (RegExp | string | CaptureClass)[]

/** One constraint for all captures, or one per name. */
export type CaptureOption = Capture | { readonly [name: string]: Capture }

type Constraint = ReturnType<Resolve>

const PLAIN: Constraint = { body: oneOrMore(SEGMENT), key: '' }

/** Answers the parser's question for the constraint of each capture. */
export function resolver(source: string, option: CaptureOption | undefined): Resolve {
  return (name) => {
    const own = captureOf(option, name)
    return own === undefined ? PLAIN : constraint(source, name, own)
  }
}

/** The `capture` option of one name. */
export function captureOf(option: CaptureOption | undefined, name: string): Capture | undefined {
  if (option === undefined || isCapture(option)) return option
  return Object.hasOwn(option, name) ? option[name] : undefined
}

/** The names that a `capture` option constrains one by one. */
export function constrainedNames(option: CaptureOption | undefined): string[] {
  return option === undefined || isCapture(option) ? [] : Object.keys(option)
}

/** A frozen copy of the option, so that a pattern cannot change under its owner. */
export function freezeCapture(option: CaptureOption): CaptureOption {
  if (Array.isArray(option)) return Object.freeze([...option])
  if (isCapture(option)) return option
  const copy: { [name: string]: Capture } = Object.create(null)
  for (const [name, each] of Object.entries(option)) copy[name] = Array.isArray(each) ? Object.freeze([...each]) : each
  return Object.freeze(copy)
}

function constraint(source: string, name: string, capture: Capture): Constraint {
  if (Array.isArray(capture)) return listed(source, name, capture)
  if (isClass(capture)) {
    return { body: oneOrMore(decodedSet(classRanges(capture))), key: `class ${capture['~class']}` }
  }
  return single(source, name, capture as RegExp | string)
}

function single(source: string, name: string, capture: RegExp | string): Constraint {
  if (isRegExp(capture)) return { body: parseRegExp(capture, name), key: `regexp ${capture.flags} ${capture.source}` }
  if (typeof capture === 'string' && capture !== '') return { body: literal(capture), key: `text ${capture}` }
  const problem = capture === '' ? 'is an empty text' : `is ${typeof capture}`
  throw new PatternError(
    source,
    0,
    `the capture option for "${name}" ${problem}`,
    'Give a RegExp, a text, a class of `charClasses`, or a list of texts and RegExps',
  )
}

function listed(source: string, name: string, list: readonly (RegExp | string | CaptureClass)[]): Constraint {
  if (list.length === 0)
    throw new PatternError(
      source,
      0,
      `the capture option for "${name}" is an empty list`,
      'List at least one text or RegExp, or leave the option out',
    )
  // In a list a class is only its name: that is how the engine this syntax comes from reads it.
  const each = list.map((member) => single(source, name, isClass(member) ? member['~class'] : member))
  return {
    body: { kind: 'alt', branches: each.map(({ body }) => body) },
    key: `list ${JSON.stringify(each.map(({ key }) => key))}`,
  }
}

function oneOrMore(set: CharSet): Node {
  return { kind: 'repeat', item: { kind: 'set', set }, min: 1, max: Number.POSITIVE_INFINITY, lazy: false }
}

function literal(text: string): Node {
  const items = Array.from(text, (char): Node => {
    const code = char.codePointAt(0) ?? 0
    const ranges = code === 47 ? [47, 47, guard(47), guard(47)] : literalRanges(code)
    return ranges.length === 2 ? charNode(code) : { kind: 'set', set: decodedSet(ranges) }
  })
  return { kind: 'seq', items }
}

function isCapture(option: CaptureOption): option is Capture {
  return typeof option === 'string' || Array.isArray(option) || isRegExp(option) || isClass(option)
}

function isClass(value: unknown): value is CaptureClass {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '~class')
}

function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
