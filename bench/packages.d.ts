// The types of packages that only the benchmarks install (`npm ci --prefix bench`), as far as these use them.

declare module 'picoquery' {
  export function parse(text: string, options?: object): unknown
}

declare module 'memoirist' {
  export class Memoirist<T> {
    add(method: string, path: string, value: T): void
    find(method: string, path: string): { readonly store: T; readonly params: Readonly<Record<string, string>> } | null
  }
}
