// A compiled pattern: matches paths, and expands arguments to a path that matches.

import { decodePath, restoreSeparators } from './decode.ts'
import { PatternError } from './errors.ts'
import { createExpander } from './expand/expand.ts'
import { PathMachine } from './machine/machine.ts'
import { compilePathProgram, type PathProgram } from './machine/program.ts'
import { listSegmentNames, type PathSegments, splitSegments } from './segments.ts'
import { listRequiredNames, listVariableNames, listVariables, type PathNode } from './syntax/ast.ts'
import { type CaptureOption, createResolver, freezeCapture, listConstrainedNames } from './syntax/constraint.ts'
import { parsePathPattern } from './syntax/parse-pattern.ts'
import type { ExpandArgs, PathPattern, PatternOptions, PatternParams } from './types.ts'

interface PatternScanner {
  readonly root: PathNode
  readonly names: readonly string[]
  readonly wildcards: number
  scan(text: string): readonly number[] | null
}

/** Compiles a pattern; throws a PatternError when its syntax or its options are wrong. */
export function compilePathPattern(source: string, options: PatternOptions = {}): PathPattern {
  const { capture, except } = options
  const plain = capture === undefined && except === undefined ? splitSegments(source) : null
  if (plain !== null) return new CompiledPattern(source, NO_OPTIONS, { plain, main: null, except: null })
  const main = createScanner(source, capture)
  const exceptScanner = except === undefined ? null : createScanner(except, capture)
  refuseUnknownConstraints(source, capture, exceptScanner === null ? [main.root] : [main.root, exceptScanner.root])
  return new CompiledPattern(source, freezeOptions(options), { plain: null, main, except: exceptScanner })
}

const NO_OPTIONS: PatternOptions = Object.freeze({})

// The compiled form of a pattern: plain segments, whose scanner is created at first use, or scanners.
type CompiledParts =
  | { readonly plain: PathSegments; readonly main: null; readonly except: null }
  | { readonly plain: null; readonly main: PatternScanner; readonly except: PatternScanner | null }

class CompiledPattern implements PathPattern {
  readonly source: string
  readonly options: PatternOptions
  readonly names: readonly string[]
  readonly required: readonly string[]
  readonly wildcards: number
  readonly segments: PathSegments | null
  #main: PatternScanner | null
  #expand: ((args: ExpandArgs) => string) | null = null
  readonly #except: PatternScanner | null

  constructor(source: string, options: PatternOptions, { plain, main, except }: CompiledParts) {
    this.source = source
    this.options = options
    this.names = Object.freeze(plain === null ? main.names : listSegmentNames(plain))
    this.required = plain === null ? Object.freeze(listRequiredNames(main.root)) : this.names
    this.wildcards = main?.wildcards ?? 0
    this.segments = plain
    this.#main = main
    this.#except = except
    // Freezing does not affect private fields, which are set later.
    Object.freeze(this)
  }

  get root(): PathNode {
    return this.#getScanner().root
  }

  get except(): PathNode | null {
    return this.#except?.root ?? null
  }

  scan(text: string): readonly number[] | null {
    const offsets = this.#getScanner().scan(text)
    return offsets === null || (this.#except !== null && isExcepted(this.#except, text)) ? null : offsets
  }

  match(path: string): PatternParams | null {
    const { text, guarded } = path.includes('%') ? decodePath(path) : { text: path, guarded: false }
    const offsets = this.scan(text)
    return offsets === null ? null : readParams(this, text, offsets, guarded)
  }

  expand(args: ExpandArgs): string {
    this.#expand ??= createExpander(this)
    return this.#expand(args)
  }

  #getScanner(): PatternScanner {
    this.#main ??= createScanner(this.source, undefined)
    return this.#main
  }
}

// Controllers see an encoded slash as a slash, so an exception applies to both spellings.
function isExcepted(except: PatternScanner, text: string): boolean {
  if (except.scan(text) !== null) return true
  const plain = restoreSeparators(text)
  return plain !== text && except.scan(plain) !== null
}

/** Reads the values at the offsets of a `scan`. */
export function readParams(
  pattern: PathPattern,
  text: string,
  offsets: readonly number[],
  guarded: boolean,
): PatternParams {
  const params: { [name: string]: string | readonly string[] | null } = Object.create(null)
  pattern.names.forEach((name, i) => {
    params[name] = readCapture(text, offsets, i, guarded)
  })
  if (pattern.wildcards > 0) params.splat = readSplat(pattern, text, offsets, guarded)
  return params
}

/** Returns the value of the capture at an index of `names`; null if it is not part of the match. */
export function readCapture(text: string, offsets: readonly number[], index: number, guarded: boolean): string | null {
  const start = offsets[2 * index] as number
  if (start < 0) return null
  const value = text.slice(start, offsets[2 * index + 1])
  return guarded ? restoreSeparators(value) : value
}

/** Returns the values of the unnamed wildcards in the match, in order. */
export function readSplat(pattern: PathPattern, text: string, offsets: readonly number[], guarded: boolean): string[] {
  const splat: string[] = []
  for (let i = 0; i < pattern.wildcards; i++) {
    const value = readCapture(text, offsets, pattern.names.length + i, guarded)
    if (value !== null) splat.push(value)
  }
  return splat
}

function createScanner(source: string, capture: CaptureOption | undefined): PatternScanner {
  const root = parsePathPattern(source, createResolver(source, capture))
  const names = listVariableNames(root)
  const wildcards = listVariables(root).filter(({ name }) => name === null).length
  const compile = (): PathProgram => compilePathProgram(source, root, names, wildcards)
  // A plain pattern always compiles, and usually only the router's tree matches it: its program is compiled at first
  // use.
  let program = isSimpleSequence(root) ? null : compile()
  let machine: PathMachine | null = null
  return {
    root,
    names,
    wildcards,
    scan(text) {
      program ??= compile()
      machine ??= new PathMachine(program)
      return machine.run(text)
    },
  }
}

const SIMPLE_LIMIT = 500

function isSimpleSequence(root: PathNode): boolean {
  if (root.kind !== 'seq' || root.items.length > SIMPLE_LIMIT) return false
  return root.items.every(
    (item) =>
      item.kind === 'char' || item.kind === 'wildcard' || (item.kind === 'capture' && item.constraintKey === ''),
  )
}

function refuseUnknownConstraints(
  source: string,
  capture: CaptureOption | undefined,
  roots: readonly PathNode[],
): void {
  const constrained = listConstrainedNames(capture)
  if (constrained.length === 0) return
  const variables = roots.flatMap((root) => listVariables(root))
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

function freezeOptions({ capture, except }: PatternOptions): PatternOptions {
  return Object.freeze({
    ...(capture !== undefined && { capture: freezeCapture(capture) }),
    ...(except !== undefined && { except }),
  })
}
