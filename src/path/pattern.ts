// A compiled pattern: matches paths, and expands arguments to a path that matches.
import { type Node, namesOf, requiredOf, variablesOf } from './ast.ts'
import { type CaptureOption, constrainedNames, freezeCapture, resolver } from './constraint.ts'
import { decodePath, plainText } from './decode.ts'
import { PatternError } from './errors.ts'
import { expander } from './expand.ts'
import { Machine } from './machine.ts'
import { parsePattern } from './parse.ts'
import { compileProgram, type Program } from './program.ts'
import type { ExpandArgs, Params, Pattern, PatternOptions } from './types.ts'

interface Scanner {
  readonly root: Node
  readonly names: readonly string[]
  readonly wildcards: number
  scan(text: string): readonly number[] | null
}

/** Compiles a pattern; throws PatternError when its syntax or its options are wrong. */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const main = scanner(source, options.capture)
  const except = options.except === undefined ? null : scanner(options.except, options.capture)
  refuseStrayConstraints(source, options.capture, except === null ? [main.root] : [main.root, except.root])
  const scan = (text: string): readonly number[] | null => {
    const offsets = main.scan(text)
    return offsets === null || (except !== null && isExcepted(except, text)) ? null : offsets
  }
  const pattern: Pattern = Object.freeze({
    source,
    options: freezeOptions(options),
    names: Object.freeze(main.names),
    required: Object.freeze(requiredOf(main.root)),
    wildcards: main.wildcards,
    root: main.root,
    except: except === null ? null : except.root,
    scan,
    match(path: string): Params | null {
      const { text, guarded } = path.includes('%') ? decodePath(path) : { text: path, guarded: false }
      const offsets = scan(text)
      return offsets === null ? null : readParams(pattern, text, offsets, guarded)
    },
    expand: (args: ExpandArgs): string => expand(args),
  })
  const expand = expander(pattern)
  return pattern
}

// Whoever gets the captures sees an encoded slash as a slash: what is excepted is excepted in either spelling.
function isExcepted(except: Scanner, text: string): boolean {
  if (except.scan(text) !== null) return true
  const plain = plainText(text)
  return plain !== text && except.scan(plain) !== null
}

/** The values behind the offsets of a `scan`. */
export function readParams(pattern: Pattern, text: string, offsets: readonly number[], guarded: boolean): Params {
  const params: { [name: string]: string | readonly string[] | null } = Object.create(null)
  pattern.names.forEach((name, i) => {
    params[name] = readValue(text, offsets, i, guarded)
  })
  if (pattern.wildcards > 0) params.splat = readSplat(pattern, text, offsets, guarded)
  return params
}

/** The value of the capture at an index of `names`, or null when it took no part in the match. */
export function readValue(text: string, offsets: readonly number[], index: number, guarded: boolean): string | null {
  const start = offsets[2 * index] as number
  if (start < 0) return null
  const value = text.slice(start, offsets[2 * index + 1])
  return guarded ? plainText(value) : value
}

/** The values of the unnamed wildcards that took part in the match, in order. */
export function readSplat(pattern: Pattern, text: string, offsets: readonly number[], guarded: boolean): string[] {
  const splat: string[] = []
  for (let i = 0; i < pattern.wildcards; i++) {
    const value = readValue(text, offsets, pattern.names.length + i, guarded)
    if (value !== null) splat.push(value)
  }
  return splat
}

function scanner(source: string, capture: CaptureOption | undefined): Scanner {
  const root = parsePattern(source, resolver(source, capture))
  const names = namesOf(root)
  const wildcards = variablesOf(root).filter(({ name }) => name === null).length
  const compile = (): Program => compileProgram(source, root, names, wildcards)
  // A plain pattern always compiles, and mostly the router's tree matches it alone: it can wait for its first use.
  let program = isPlain(root) ? null : compile()
  let machine: Machine | null = null
  return {
    root,
    names,
    wildcards,
    scan(text) {
      program ??= compile()
      machine ??= new Machine(program)
      return machine.run(text)
    },
  }
}

const PLAIN_LIMIT = 500

function isPlain(root: Node): boolean {
  if (root.kind !== 'seq' || root.items.length > PLAIN_LIMIT) return false
  return root.items.every(
    (item) => item.kind === 'char' || item.kind === 'wildcard' || (item.kind === 'capture' && item.key === ''),
  )
}

function refuseStrayConstraints(source: string, capture: CaptureOption | undefined, roots: readonly Node[]): void {
  const constrained = constrainedNames(capture)
  if (constrained.length === 0) return
  const variables = roots.flatMap((root) => variablesOf(root))
  for (const name of constrained) {
    const named = variables.filter((variable) => variable.name === name)
    if (name === 'splat' || named.some(({ kind }) => kind === 'capture')) continue
    if (named.length === 0)
      throw new PatternError(
        source,
        0,
        `the option "capture" names "${name}", which the pattern does not capture`,
        'Correct the name or remove it',
      )
    throw new PatternError(
      source,
      0,
      `the option "capture" constrains the wildcard "*${name}", which takes any characters`,
      `Write ":${name}" instead`,
    )
  }
}

function freezeOptions(options: PatternOptions): PatternOptions {
  const { capture, except } = options
  return Object.freeze({
    ...(capture !== undefined && { capture: freezeCapture(capture) }),
    ...(except !== undefined && { except }),
  })
}
