// Loading: collects every issue of one part of a request, with its location.
import { JSON_DELIMITERS } from '../util/json/parse-json.ts'
import { escapePointer, type Issue, IssueCollector, MAX_ISSUES } from './issue.ts'

/** Converts and checks one present, non-null value; returns it, or INVALID after reporting at least one issue. */
export type Loader = (value: unknown, loading: Loading) => unknown

/** The form of the values of a source: text alone, as in queries, headers and forms, or JSON. */
export type ValueSource = 'text' | 'json'

/** The maximum depth of a value of a recursive type, independent of its source. */
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
 * prepends its step on the way out. A valid request therefore never builds a pointer.
 */
export class Loading extends IssueCollector {
  deferred: DeferredValue[] | null = null
  /** The number of references to recursive types above the current value. */
  depth = 0
  /** The form of the values; in text, a single value is accepted as a collection. */
  source: ValueSource
  /** True if no text of the source has U+0000 or a lone surrogate, so that none needs to be searched for them. */
  hasPlainTexts = false
  /** True for a server's response: its names are data, except the one that would change a prototype. */
  isResponse = false
  /** The number of commas, colons and opening brackets that JSON texts within the source may still have. */
  remainingJsonTokens: number = JSON_DELIMITERS
  /** Returns whether to ignore an unknown name instead of rejecting it. */
  readonly shouldIgnore: ((name: string) => boolean) | undefined

  constructor(source: ValueSource, ignores?: (name: string) => boolean) {
    super()
    this.source = source
    this.shouldIgnore = ignores
  }

  /** Registers a value that is still being checked; the container that has its slot calls `bindDeferred` afterwards. */
  defer(result: Promise<DeferredResult>): undefined {
    this.deferred ??= []
    this.deferred.push({ pointer: '', result, target: undefined, key: '' })
    // A request refused for another reason is never settled: its rejection must not count as unhandled.
    result.catch(ignoreRejection)
  }

  /** Binds the values deferred from index `since` on to their slot, and prepends the slot's step to their pointers. */
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

  /** Binds values without a slot to one that adds no step: the root of the loaded value. */
  bindRoot(target: Record<string | number, unknown>, key: string | number): void {
    for (const entry of this.deferred ?? []) {
      if (entry.target !== undefined) continue
      entry.target = target
      entry.key = key
    }
  }

  /** Awaits every deferred value, then writes it into its slot or reports its issues. */
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
