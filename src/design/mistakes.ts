// Definition mistakes: collected while declarations are resolved, reported together when an application boots.

import { accept, type Fields, type Flaw } from '../util/setting-form.ts'
import { getSourceLocation } from './source-location.ts'

/** One mistake in the declarations of an application. */
export interface DefinitionMistake {
  /** The endpoint it is in; empty for a mistake of the application itself. */
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
  /** Where the endpoints with mistakes are declared, by their names, as far as the runtime tells. */
  declare readonly places: Readonly<Record<string, string>>

  constructor(mistakes: readonly DefinitionMistake[], places: Readonly<Record<string, string>> = {}) {
    const lines = formatMistakes(mistakes)
    const count = lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`
    super(`The application has ${count} in its declarations:\n${lines.join('\n')}`)
    // Not to be listed: runtimes print the members of an error behind its message, which says the same.
    Object.defineProperties(this, { mistakes: { value: mistakes }, places: { value: places } })
    if (typeof this.stack === 'string') this.stack = withLocations(this.stack, places)
  }
}

// As frames above the others, where tools that read stacks find them.
function withLocations(stack: string, places: Readonly<Record<string, string>>): string {
  const frames = Object.entries(places).map(([name, place]) => `    at ${name} (${place})\n`)
  return stack.replace(/^ {4}at /m, (first) => `${frames.join('')}${first}`)
}

// Actions inherit and share attributes: a mistake of one of them is met in many places, and is one mistake.
function formatMistakes(mistakes: readonly DefinitionMistake[]): string[] {
  const lines = new Map<unknown, Map<string, string[]>>()
  for (const mistake of mistakes) {
    const { endpoint, action, setting, problem, remedy } = mistake
    const path = [endpoint === '' ? 'application' : endpoint, action, setting].filter((part) => part !== undefined)
    const said = `${problem}. Remedy: ${remedy}.`
    const owner = mistakeOwners.get(mistake) ?? mistake
    const own = lines.get(owner) ?? new Map<string, string[]>()
    own.set(said, [...(own.get(said) ?? []), path.join(' › ')])
    lines.set(owner, own)
  }
  return [...lines.values()].flatMap((own) =>
    Array.from(own, ([said, [first, ...others]]) => `  - ${first}: ${said}${formatDuplicates(others)}`),
  )
}

function formatDuplicates([next, ...more]: readonly string[]): string {
  if (next === undefined) return ''
  return ` The same attribute is at ${next}${more.length === 0 ? '' : ` and ${more.length} more`}.`
}

/** The attributes that mistakes are in. */
const mistakeOwners = new WeakMap<DefinitionMistake, object>()

/** A definition mistake that the compiler finds: it says "Property '<text>' is missing" before it prints any type. */
export type MistakenType<Text extends string> = { readonly [K in Text]: never }

/** An endpoint that may have mistakes. */
interface LocatedEndpoint {
  readonly name: string
  readonly version?: string | undefined
  readonly definition: object
}

/** Throws if there is at least one mistake, with the places of the endpoints that have some. */
export function refuseMistakes(mistakes: readonly DefinitionMistake[], ...endpoints: readonly LocatedEndpoint[]): void {
  if (mistakes.length === 0) return
  const places: Record<string, string> = Object.create(null)
  const mistaken = endpoints.filter(({ name }) => mistakes.some((one) => one.endpoint === name))
  for (const one of mistaken) {
    const place = getSourceLocation(one.definition)
    const { name, version } = one
    // Versions of an endpoint share its name, by which mistakes tell of it.
    const isShared = mistaken.some((other) => other !== one && other.name === name)
    if (place !== undefined) places[isShared ? `${name} (${version ?? 'unversioned'})` : name] = place
  }
  throw new DefinitionError(mistakes, places)
}

/** Reports mistakes of one place: an endpoint, or one of its actions; `owner` is the attribute that a mistake is in. */
export type Report = (setting: string, problem: string, remedy: string, owner?: object) => void

/** Returns the valid settings and reports the others; `place` is their place, empty for a declaration itself. */
export function readSettings<T extends object>(place: string, given: unknown, fields: Fields<T>, report: Report): T {
  const { value, flaws } = accept(given, fields)
  reportFlaws(place, flaws, report)
  return value
}

/** Reports the flaws of a declaration at a place. */
export function reportFlaws(place: string, flaws: readonly Flaw[], report: Report): void {
  for (const { at, problem, remedy } of flaws) {
    const setting = place === '' ? at.replace(/^\./, '') : place + at
    report(setting === '' ? 'declaration' : setting, problem, remedy)
  }
}

/** Makes the reporter of one place. */
export function reporter(mistakes: DefinitionMistake[], endpoint: string, action?: string): Report {
  return (setting, problem, remedy, owner) => {
    const mistake = { endpoint, ...(action !== undefined && { action }), setting, problem, remedy }
    mistakes.push(mistake)
    if (owner !== undefined) mistakeOwners.set(mistake, owner)
  }
}
