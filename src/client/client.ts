// Creates the client: one function for each declared action, which encodes requests and parses responses by the
// declaration.
import type { Attribute } from '../schema/attribute.ts'
import { tabulateDefinition } from './declared-calls.ts'
import { makeClient } from './make-client.ts'
import { getTable } from './tabled-endpoint.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'

/**
 * Creates the client of some definitions. Pass an object of them, or a module (`import * as design`), whose definitions
 * are picked out. Editors are fastest with a module, because they evaluate only the members that a file uses.
 */
export const client = <E extends object, F extends Attribute | undefined = undefined, G extends string = never>(
  definitions: E,
  options: ClientOptions<F, G>,
): Client<E, ProblemOf<F>, G> =>
  makeClient(definitions, options, (one) => getTable(one) ?? tabulateDefinition(one)) as never
