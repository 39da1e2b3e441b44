// Loading: collects every issue of one part of a request, with the place of each.
import { JSON_DELIMITERS } from '../util/json/parse-json.ts'
import { escapePointer, type Issue, MAX_ISSUES, IssueCollector } from './issue.ts'

/** Coerces and checks one present, non-null value; returns it, or INVALID after reporting at least one issue. */
export type Loader = (value: unknown, loading: Loading) => unknown

/** How deep a value of a recursive type may nest, whatever its source allows. */
export const MAX_LOAD_DEPTH = 64

/** The result of an asynchronous check. */
export type DeferredResult = { readonly value: unknown } | { readonly issues: readonly Issue[] }

interface DeferredValue {
  pointer: string
  readonly result: Promise<DeferredResult>
  target: Record<string | number, unknown> | undefined
  key: string | number
}

/**
 * Collects the issues of one part of a request. A loader reports with a pointer relative to itself, and each container
 * puts its own step in front on the way out, so that a valid request never builds a pointer.
 */
export class Loading extends IssueCollector {
  deferred: DeferredValue[] | null = null
  /** How many references to recursive types the current value lies below. */
  depth = 0
  /** True when the source knows only text (query, headers, forms): a single value then makes a collection. */
  text: boolean
  /** True for what a server answered: its names are data, but for the one that would change a prototype. */
  isResponse = false
  /** How many commas, colons and opening brackets texts of JSON within the source may still have. */
  remainingJsonTokens: number = JSON_DELIMITERS
  /** Returns whether to ignore an unknown name instead of rejecting it. */
  readonly ignores: ((name: string) => boolean) | undefined

  constructor(text: boolean, ignores?: (name: string) => boolean) {
    super()
    this.text = text
    this.ignores = ignores
  }

  /** Registers a value that is still being checked; the container that holds its slot calls `place` afterwards. */
  defer(result: Promise<DeferredResult>): undefined {
    this.deferred ??= []
    this.deferred.push({ pointer: '', result, target: undefined, key: '' })
    // A request refused for another reason is never settled: its rejection must not count as unhandled.
    result.catch(ignoreRejection)
  }

  /** Binds values deferred since there were `since` of them to their slot, and puts the slot's step in front of their place. */
  bindDeferred(target: Record<string | number, unknown>, key: string | number, since: number): void {
    if (this.deferred === null || this.deferred.length === since) return
    const step = `/${escapePointer(key)}`
    for (let i = since; i < this.deferred.length; i++) {
      const entry = this.deferred[i] as DeferredValue
      entry.pointer = step + entry.pointer
      if (entry.target !== undefined) continue
      entry.target = target
      entry.key = key
    }
  }

  /** Binds a value that has no slot yet to one that adds no step: the whole of what is loaded. */
  bindRoot(target: Record<string | number, unknown>, key: string | number): void {
    for (const entry of this.deferred ?? []) {
      if (entry.target !== undefined) continue
      entry.target = target
      entry.key = key
    }
  }

  /** Waits for every deferred value, puts it into its slot or reports its issues. */
  async settle(): Promise<void> {
    const batch = this.deferred ?? []
    this.deferred = null
    const results = await Promise.all(batch.map((entry) => entry.result))
    results.forEach((result, i) => {
      const { target, key, pointer } = batch[i] as DeferredValue
      if ('value' in result) {
        if (target !== undefined) target[key] = result.value
        return
      }
      for (const issue of result.issues) this.#addIssue({ ...issue, pointer: pointer + issue.pointer })
    })
  }

  #addIssue(issue: Issue): void {
    this.total++
    this.issues ??= []
    if (this.issues.length < MAX_ISSUES) this.issues.push(issue)
  }
}

function ignoreRejection(): void {}
