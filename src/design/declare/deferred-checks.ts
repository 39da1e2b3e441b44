// Checks of declarations and the texts of their mistakes, which browsers do without.
import type { Flaw } from '../../util/setting-form.ts'
import type { Late } from '../../util/late.ts'

interface HasViews {
  readonly name: string
  readonly views: object
}

/** The name of a media type and its settings. */
export interface MediaDeclaration {
  readonly name: string
  readonly identifier?: string
  readonly description?: string
  readonly attributes: object
  readonly views?: Readonly<Record<string, readonly string[]>>
}

/** Mistakes that are told, or looked for, outside of resolution. */
export interface DeferredChecks {
  /** Throws for a view that there is not. */
  failOnView(of: HasViews, name: string): never
  /** Throws the mistakes in the options of a collection. */
  checkCollection(of: { readonly name: string }, given: unknown): void
  /** Throws for a behaviour of a controller that is no function. */
  failOnBehaviour(endpoint: unknown, given: unknown): never
  /** The flaws in the arguments of before, around and after. */
  findCallbackFlaws(args: readonly unknown[]): readonly Flaw[]
  /** Remembers the place that called a function, for messages about what it declares. */
  rememberLocation(declared: object, called: unknown): void
  /** The settings of a media type that are of the right form. */
  readMediaType(name: unknown, given: unknown): MediaDeclaration
}

/** The mistakes of declarations, provided on servers. */
export const deferredChecks: Late<DeferredChecks> = {}
