// Terms: facts of a declaration in a form that implies which changes of them break clients.

/** The terms that a plugin or a policy sets, by names that become part of the rules of `diff`. */
export interface Terms {
  readonly [name: string]: Term
}

/** One term, in a form that implies which changes of it break clients. */
export type Term =
  /** The values that clients may send; null stands for all. Fewer values break clients. */
  | { readonly allows: readonly string[] | null }
  /** A limit, null being none; a lower one breaks clients. */
  | { readonly most: number | null }
  /** The amount that clients get by default; less breaks them. */
  | { readonly gives: number }
  /** The meaning of something; any change breaks clients. */
  | { readonly means: unknown }
  /** A fact whose change breaks no client, but is reported. */
  | { readonly tells: unknown }
  /** Terms of several things by their names; one that is gone breaks clients. */
  | { readonly each: Readonly<Record<string, Terms>> }
  /** Ways of which clients take one, null being none at all; fewer ways, or more demands of one, break them. */
  | { readonly ways: readonly (AlternativeTerm | null)[]; readonly words: { readonly way: string; readonly demands: string } }

/** One of several alternatives for clients. */
export interface AlternativeTerm {
  /** A name for readers. */
  readonly name: string
  /** The form that clients see: two ways are the same if their forms are. */
  readonly form: Readonly<Record<string, unknown>>
  /** Members of the form that only describe it. */
  readonly described?: readonly string[]
  /** The demands on clients. */
  readonly demands: readonly string[]
  /** What clients have to send along with it. */
  readonly along?: readonly Omit<AlternativeTerm, 'along'>[]
}
