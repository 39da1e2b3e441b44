// Contract terms: facts of a declaration in a form that implies which of their changes break clients.

/** The terms of a plugin or a policy, by names that become part of the rules of `diff`. */
export interface Terms {
  readonly [name: string]: Term
}

/** One term, in a form that implies which of its changes break clients. */
export type Term =
  /** The values that clients may send; null means all. Fewer values break clients. */
  | { readonly allows: readonly string[] | null }
  /** A limit; null means none. A lower one breaks clients. */
  | { readonly most: number | null }
  /** The amount that clients get by default; less breaks them. */
  | { readonly gives: number }
  /** The meaning of something; any change breaks clients. */
  | { readonly means: unknown }
  /** A fact whose change does not break clients, but is reported. */
  | { readonly info: unknown }
  /** The terms of several things by name; a missing one breaks clients. */
  | { readonly each: Readonly<Record<string, Terms>> }
  /**
   * Alternatives of which clients use one; null means no requirement. Fewer alternatives, or more demands of one, break
   * them.
   */
  | {
      readonly ways: readonly (AlternativeTerm | null)[]
      readonly words: { readonly way: string; readonly demands: string }
    }

/** One of several alternatives for clients. */
export interface AlternativeTerm {
  /** The name for readers. */
  readonly name: string
  /** The form that clients see: alternatives with equal forms are the same. */
  readonly form: Readonly<Record<string, unknown>>
  /** The members of the form that are only descriptions. */
  readonly described?: readonly string[]
  /** The demands on clients. */
  readonly demands: readonly string[]
  /** Further alternatives that clients must send together with this one. */
  readonly sentWith?: readonly Omit<AlternativeTerm, 'sentWith'>[]
}
