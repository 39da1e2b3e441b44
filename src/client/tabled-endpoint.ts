// An endpoint as a table: the replacement of a definition in a front end whose bundler replaced it.
import type { EndpointTable } from './call-table.ts'

/** A definition, reduced to its calls. */
export interface TabledEndpoint {
  readonly '~table': EndpointTable
  readonly name: string
  /** Expands the canonical path with the given arguments. */
  toHref(args?: Readonly<Record<string, unknown>>): string
}

/** Returns the calls of a table; undefined for anything else. */
export const getTable = (value: unknown): EndpointTable | undefined =>
  (value as Partial<TabledEndpoint> | null)?.['~table']
