// Terms: facts of a declaration in a form that says by itself which changes of it break clients.

/** What a plugin or a policy settles, by names that become part of the rules of differences. */
export interface Terms {
  readonly [name: string]: Term
}

/** One thing that is settled, in a form that says by itself which changes of it break clients. */
export type Term =
  /** What clients may say; null stands for anything. Less of it breaks them. */
  | { readonly allows: readonly string[] | null }
  /** A limit, null being none; a lower one breaks clients. */
  | { readonly most: number | null }
  /** How much clients get unless they say; less breaks them. */
  | { readonly gives: number }
  /** What something means; any change breaks clients. */
  | { readonly means: unknown }
  /** What no client breaks by, but should be told of. */
  | { readonly tells: unknown }
  /** Terms of several things by their names; one that is gone breaks clients. */
  | { readonly each: Readonly<Record<string, Terms>> }
  /** Ways of which clients take one, null being none at all; fewer ways, or more demands of one, break them. */
  | { readonly ways: readonly (WayTerm | null)[]; readonly words: { readonly way: string; readonly demands: string } }

/** One of several ways that clients may take. */
export interface WayTerm {
  /** A name for readers. */
  readonly name: string
  /** What clients see of it: two ways are the same when their forms are. */
  readonly form: Readonly<Record<string, unknown>>
  /** Members of the form that only describe it. */
  readonly described?: readonly string[]
  /** What clients need for it. */
  readonly demands: readonly string[]
}
