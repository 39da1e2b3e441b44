// Definition mistakes: collected while declarations are resolved, reported together when an application boots.

import { accept, type Fields, type Flaw } from '../util/setting-form.ts'
import { getSourceLocation } from './source-location.ts'

/** One mistake in the declarations of an application. */
export interface DefinitionMistake {
  /** The endpoint with the mistake; empty for a mistake of the application itself. */
  readonly endpoint: string
  readonly action?: string
  readonly setting: string
  readonly problem: string
  readonly remedy: string
}

/** Thrown once at boot, with every mistake in the declarations. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  declare readonly mistakes: readonly DefinitionMistake[]
  /** The source locations of the endpoints with mistakes, by endpoint name, if the runtime reports them. */
  declare readonly locations: Readonly<Record<string, string>>

  constructor(mistakes: readonly DefinitionMistake[], locations: Readonly<Record<string, string>> = {}) {
    const lines = formatMistakes(mistakes)
    const count = lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`
    super(`The application has ${count} in its declarations:\n${lines.join('\n')}`)
    // Not enumerable: runtimes print the members of an error after its message, which has the same content.
    Object.defineProperties(this, { mistakes: { value: mistakes }, locations: { value: locations } })
    if (typeof this.stack === 'string') this.stack = withLocations(this.stack, locations)
  }
}

// The locations are added as frames above the others, where tools that read stacks find them.
function withLocations(stack: string, locations: Readonly<Record<string, string>>): string {
  const frames = Object.entries(locations).map(([name, location]) => `    at ${name} (${location})\n`)
  return stack.replace(/^ {4}at /m, (first) => `${frames.join('')}${first}`)
}

// Actions inherit and share attributes: a mistake in one of them is found several times, but is reported once.
function formatMistakes(mistakes: readonly DefinitionMistake[]): string[] {
  const lines = new Map<unknown, Map<string, string[]>>()
  for (const mistake of mistakes) {
    const { endpoint, action, setting, problem, remedy } = mistake
    const path = [endpoint === '' ? 'application' : endpoint, action, setting].filter((part) => part !== undefined)
    const sentence = `${problem}. Remedy: ${remedy}.`
    const owner = mistakeOwners.get(mistake) ?? mistake
    const paths = lines.get(owner) ?? new Map<string, string[]>()
    paths.set(sentence, [...(paths.get(sentence) ?? []), path.join(' › ')])
    lines.set(owner, paths)
  }
  return [...lines.values()].flatMap((paths) =>
    Array.from(paths, ([sentence, [first, ...others]]) => `  - ${first}: ${sentence}${formatDuplicates(others)}`),
  )
}

function formatDuplicates([next, ...more]: readonly string[]): string {
  if (next === undefined) return ''
  return ` The same attribute is at ${next}${more.length === 0 ? '' : ` and ${more.length} more`}.`
}

/** The attribute of each mistake. */
const mistakeOwners = new WeakMap<DefinitionMistake, object>()

/**
 * A definition mistake that the compiler finds: it reports "Property '<text>' is missing" before it prints any type.
 */
export type MistakenType<Text extends string> = { readonly [K in Text]: never }

/** An endpoint that may have mistakes. */
interface LocatedEndpoint {
  readonly name: string
  readonly version?: string | undefined
  readonly definition: object
}

/** Throws if there is at least one mistake, with the source locations of the endpoints. */
export function refuseMistakes(mistakes: readonly DefinitionMistake[], ...endpoints: readonly LocatedEndpoint[]): void {
  if (mistakes.length === 0) return
  const locations: Record<string, string> = Object.create(null)
  const mistaken = endpoints.filter(({ name }) => mistakes.some((one) => one.endpoint === name))
  for (const one of mistaken) {
    const location = getSourceLocation(one.definition)
    const { name, version } = one
    // Versions of an endpoint share the name that mistakes carry.
    const isShared = mistaken.some((other) => other !== one && other.name === name)
    if (location !== undefined) locations[isShared ? `${name} (${version ?? 'unversioned'})` : name] = location
  }
  throw new DefinitionError(mistakes, locations)
}

/** Reports mistakes of an endpoint or of one of its actions; `owner` is the attribute with the mistake. */
export type Report = (setting: string, problem: string, remedy: string, owner?: object) => void

/** Returns the valid settings and reports the others; `prefix` is their path, empty for the declaration itself. */
export function readSettings<T extends object>(
  prefix: string,
  settings: unknown,
  fields: Fields<T>,
  report: Report,
): T {
  const { value, flaws } = accept(settings, fields)
  reportFlaws(prefix, flaws, report)
  return value
}

/** Reports the flaws of a declaration under a settings path. */
export function reportFlaws(prefix: string, flaws: readonly Flaw[], report: Report): void {
  for (const { at, problem, remedy } of flaws) {
    const setting = prefix === '' ? at.replace(/^\./, '') : prefix + at
    report(setting === '' ? 'declaration' : setting, problem, remedy)
  }
}

/** Creates the function that reports mistakes of an endpoint or an action. */
export function createReporter(mistakes: DefinitionMistake[], endpoint: string, action?: string): Report {
  return (setting, problem, remedy, owner) => {
    const mistake = { endpoint, ...(action !== undefined && { action }), setting, problem, remedy }
    mistakes.push(mistake)
    if (owner !== undefined) mistakeOwners.set(mistake, owner)
  }
}
