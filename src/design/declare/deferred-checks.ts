// Checks of declarations with their messages, which browsers do without.

import type { Late } from '../../util/late.ts'
import type { Flaw } from '../../util/setting-form.ts'

interface HasViews {
  readonly name: string
  readonly views: object
}

/** The name and the settings of a media type. */
export interface MediaDeclaration {
  readonly name: string
  readonly identifier?: string
  readonly description?: string
  readonly attributes: object
  readonly views?: Readonly<Record<string, readonly string[]>>
}

/** Checks that run outside of resolution. */
export interface DeferredChecks {
  /** Throws for a view that does not exist. */
  failOnView(mediaType: HasViews, name: string): never
  /** Throws if the options of a collection have mistakes. */
  checkCollection(element: { readonly name: string }, options: unknown): void
  /** Throws for a behavior of a controller that is not a function. */
  failOnBehaviour(endpoint: unknown, behaviour: unknown): never
  /** Finds the flaws in the arguments of before, around and after. */
  findCallbackFlaws(args: readonly unknown[]): readonly Flaw[]
  /** Remembers the location of a function's call, for messages about the declaration. */
  rememberLocation(declaration: object, callee: unknown): void
  /** Returns the settings of a media type that have the right form. */
  readMediaType(name: unknown, spec: unknown): MediaDeclaration
}

/** The checks of declarations, provided on servers. */
export const deferredChecks: Late<DeferredChecks> = {}
