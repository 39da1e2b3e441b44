// Loaders as generated code: straight lines for values that are valid. Everything else goes to the closures of the kinds,
// which are its meaning; a kind without code takes part through its closure.
import { GeneratedCode, generateWhenBusy } from '../util/generated-code.ts'
import { INVALID, prefixIssues } from './issue.ts'
import type { Loader, Loading } from './loading.ts'

/** A condition without effects under which a value is valid, and the expression that it is loaded as. */
export interface Acceptance {
  readonly test: string
  readonly result: string
}

/**
 * The code of a loader. A single value is accepted by the first test that is true, in an expression that may use the
 * variable `parsed`; a structure is loaded by a function of its own.
 */
export type LoaderCode =
  | { readonly accept: (code: GeneratedCode, value: string) => readonly Acceptance[] }
  | { readonly write: (code: GeneratedCode) => string }

const codes = new WeakMap<Loader, LoaderCode>()

/** Attaches code to a loader: for every value it gives what the loader gives, with the same issues. */
export function withLoaderCode(load: Loader, code: LoaderCode): Loader {
  codes.set(load, code)
  return load
}

/** Returns the loader that becomes generated code when it has been called often. */
export function loadFasterWhenBusy(load: Loader): Loader {
  const code = codes.get(load)
  if (code === undefined || !('write' in code)) return load
  return generateWhenBusy<unknown, Loading, unknown, unknown>(load, () => generateLoader(load)) as Loader
}

/** Makes the code of a loader; undefined if it has none, or where no code can be made. */
export function generateLoader(load: Loader): Loader | undefined {
  const code = new GeneratedCode()
  const entry = writeFunction(code, load)
  return entry === undefined ? undefined : code.make<Loader>(entry)
}

function writeFunction(code: GeneratedCode, load: Loader): string | undefined {
  const own = codes.get(load)
  return own !== undefined && 'write' in own ? code.ensureFunction(load, () => own.write(code)) : undefined
}

/** Returns the name of a function that loads like a loader: its code, or the closure itself. */
export function writeLoader(code: GeneratedCode, load: Loader): string {
  return writeFunction(code, load) ?? code.addConstant(load)
}

/** How a value below a structure is loaded, and what happens with the result. */
export interface Slot {
  readonly load: Loader
  /** The statement that takes a valid result. */
  readonly take: (result: string) => string
  /** The statement that takes a refused one, so that what follows has its place. */
  readonly skip: string
  /** The call that loads a value by closures and takes it; it returns whether it is valid. */
  readonly slowly: string
  /** Whether the closures must do it, because the value may be checked asynchronously. */
  readonly defers: boolean
  /** The name or index of the slot, as an expression. */
  readonly step: string
  /** Whether an undefined value is loaded by closures, too. */
  readonly mayBeUndefined: boolean
}

/** Writes the statements that load the variable `raw`; they clear the variable `valid` if it is refused. */
export function writeSlot(
  code: GeneratedCode,
  { load, take, skip, slowly, defers, step, mayBeUndefined }: Slot,
): string {
  const otherwise = `if (!${slowly}) valid = false`
  const own = codes.get(load)
  if (defers) return otherwise
  if (own !== undefined && 'accept' in own) {
    const branches = own.accept(code, 'raw').map(({ test, result }) => `if (${test}) ${take(result)}`)
    return [...branches, otherwise].join('\nelse ')
  }
  const called = writeLoader(code, load)
  const isMissing = mayBeUndefined ? 'raw === null || raw === undefined' : 'raw === null'
  return `if (${isMissing}) { ${otherwise} }
else {
  since = loading.issues === null ? 0 : loading.issues.length
  result = ${called}(raw, loading)
  if (result !== ${code.addConstant(INVALID)}) ${take('result')}
  else {
    ${code.addConstant(prefixIssues)}(loading.issues, ${step}, since)
    valid = false
    ${skip}
  }
}`
}

/** The variables of a function that writes slots. */
export const SLOT_VARIABLES = 'let raw, parsed, since, result, valid = true'

/** Returns the test that an expression is neither below nor above limits. */
export function writeRange(code: GeneratedCode, value: string, min: number, max: number): string {
  const tests = [
    ...(min === Number.NEGATIVE_INFINITY ? [] : [`${value} >= ${code.writeNumber(min)}`]),
    ...(max === Number.POSITIVE_INFINITY ? [] : [`${value} <= ${code.writeNumber(max)}`]),
  ]
  return tests.join(' && ') || 'true'
}
