// A compiled pattern: matches paths, and expands arguments to a path that matches.

import { decodePath, plainText } from './decode.ts'
import { PatternError } from './errors.ts'
import { expander } from './expand/expand.ts'
import { Machine } from './machine/machine.ts'
import { compileProgram, type Program } from './machine/program.ts'
import { type PlainSegments, plainNames, plainSegments } from './plain.ts'
import { type Node, namesOf, requiredOf, variablesOf } from './syntax/ast.ts'
import { type CaptureOption, constrainedNames, freezeCapture, resolver } from './syntax/constraint.ts'
import { parsePattern } from './syntax/parse.ts'
import type { ExpandArgs, Params, Pattern, PatternOptions } from './types.ts'

interface Scanner {
  readonly root: Node
  readonly names: readonly string[]
  readonly wildcards: number
  scan(text: string): readonly number[] | null
}

/** Compiles a pattern; throws PatternError when its syntax or its options are wrong. */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const { capture, except } = options
  const plain = capture === undefined && except === undefined ? plainSegments(source) : null
  if (plain !== null) return new CompiledPattern(source, NO_OPTIONS, { plain, main: null, except: null })
  const main = scanner(source, capture)
  const other = except === undefined ? null : scanner(except, capture)
  refuseStrayConstraints(source, capture, other === null ? [main.root] : [main.root, other.root])
  return new CompiledPattern(source, freezeOptions(options), { plain: null, main, except: other })
}

const NO_OPTIONS: PatternOptions = Object.freeze({})

// The compiled form of a pattern: plain segments, whose scanner is made at first use, or scanners.
type Compiled =
  | { readonly plain: PlainSegments; readonly main: null; readonly except: null }
  | { readonly plain: null; readonly main: Scanner; readonly except: Scanner | null }

class CompiledPattern implements Pattern {
  readonly source: string
  readonly options: PatternOptions
  readonly names: readonly string[]
  readonly required: readonly string[]
  readonly wildcards: number
  readonly plain: PlainSegments | null
  #main: Scanner | null
  #expand: ((args: ExpandArgs) => string) | null = null
  readonly #except: Scanner | null

  constructor(source: string, options: PatternOptions, { plain, main, except }: Compiled) {
    this.source = source
    this.options = options
    this.names = Object.freeze(plain === null ? main.names : plainNames(plain))
    this.required = plain === null ? Object.freeze(requiredOf(main.root)) : this.names
    this.wildcards = main?.wildcards ?? 0
    this.plain = plain
    this.#main = main
    this.#except = except
    // Freezing does not affect private fields, which are filled later.
    Object.freeze(this)
  }

  get root(): Node {
    return this.#scanner().root
  }

  get except(): Node | null {
    return this.#except?.root ?? null
  }

  scan(text: string): readonly number[] | null {
    const offsets = this.#scanner().scan(text)
    return offsets === null || (this.#except !== null && isExcepted(this.#except, text)) ? null : offsets
  }

  match(path: string): Params | null {
    const { text, guarded } = path.includes('%') ? decodePath(path) : { text: path, guarded: false }
    const offsets = this.scan(text)
    return offsets === null ? null : readParams(this, text, offsets, guarded)
  }

  expand(args: ExpandArgs): string {
    this.#expand ??= expander(this)
    return this.#expand(args)
  }

  #scanner(): Scanner {
    this.#main ??= scanner(this.source, undefined)
    return this.#main
  }
}

// Users of captures see an encoded slash as a slash: an exception holds for both spellings.
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

function freezeOptions({ capture, except }: PatternOptions): PatternOptions {
  return Object.freeze({
    ...(capture !== undefined && { capture: freezeCapture(capture) }),
    ...(except !== undefined && { except }),
  })
}
