// Names derived from names, once for the run time and once for the compiler; both halves follow the same small rules.

type Upper =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z'

/** A name in snake case, as a type: `BlogPosts` becomes `blog_posts`. */
export type Snake<S extends string, Done extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends Upper
    ? Snake<
        Rest,
        Done extends ''
          ? Lowercase<C>
          : Done extends `${string}_`
            ? `${Done}${Lowercase<C>}`
            : `${Done}_${Lowercase<C>}`
      >
    : Snake<Rest, `${Done}${C}`>
  : Done

/** The singular of a plural name, as a type. */
export type Singular<S extends string> = S extends `${infer B}ies`
  ? `${B}y`
  : S extends `${infer B}${'sses' | 'xes' | 'ches' | 'shes'}`
    ? S extends `${B}${infer E}es`
      ? `${B}${E}`
      : never
    : S extends `${string}${'ss' | 'us' | 'is'}`
      ? S
      : S extends `${infer B}s`
        ? B
        : S

/** Writes a name in snake case: every upper-case letter begins a word. */
export const snake = (name: string): string =>
  name.replace(/_?[A-Z]/g, (word, at: number) => (at > 0 && word.length === 1 ? '_' : '') + word.toLowerCase())

/** Writes a name in Pascal case, of ASCII letters and digits only: `add_cover` becomes `AddCover`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Returns the singular of a plural name by rules small enough for the compiler to mirror; an endpoint may set its own. */
export const singular = (name: string): string =>
  name.replace(
    /(?:(ss|us|is)|(ss|x|ch|sh)es|(i)es|s)$/,
    (_, kept = '', stem = kept, i?: string) => stem + (i ? 'y' : ''),
  )

/** A number of 32 bits that stands for a text (FNV-1a). */
export function digest(text: string, start: number): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
