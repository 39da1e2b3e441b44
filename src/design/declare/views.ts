// Views of a media type: the names of the attributes that each shows, or of those that it leaves out.

/** The names of views and the attributes that each shows. */
export interface Views {
  readonly [name: string]: readonly string[]
}

/** Views of a media type whose attributes have the names N: the attributes that each shows, or all but some. */
export interface ViewsOf<out N extends string> {
  readonly [name: string]: readonly N[] | AllExcept<N>
}

/** The attributes that a view leaves out; it shows all others. */
export interface AllExcept<out N extends string = string> {
  readonly except: readonly N[]
}

/** The declared views V of attributes with the names N, each as the names that it shows. */
// Views that list their names are left as they are, so that editors and emitted declarations show no more.
export type ViewNames<N extends string, V> = V extends Views
  ? V
  : { readonly [W in keyof V]: V[W] extends AllExcept<infer E> ? readonly Exclude<N, E>[] : V[W] & readonly string[] }

/** Lists the names that each view shows. */
export const listViewNames = (views: ViewsOf<string>, names: readonly string[]): Views =>
  Object.fromEntries(
    Object.entries(views).map(([view, shown]) => [
      view,
      'except' in shown ? names.filter((name) => !shown.except.includes(name)) : shown,
    ]),
  )
