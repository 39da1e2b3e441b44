// The public entry `edict/testing`: a client that calls an application in process, without a socket, and the checks built on
// it.

import type { Application } from '../application.ts'
import { client } from '../client/client.ts'
import type { Client, ClientOptions, ProblemOf } from '../client/types.ts'
import type { Attribute } from '../schema/attribute.ts'

/** Creates a client that calls an application directly; it does not retry unless `attempts` is set. */
export function testClient<E extends object, F extends Attribute | undefined = undefined, G extends string = never>(
  app: Pick<Application, 'fetch' | 'basePath'>,
  definitions: E,
  options: Omit<ClientOptions<F, G>, 'baseUrl' | 'fetch'> = {},
): Client<E, ProblemOf<F>, G> {
  const baseUrl = `http://application.test${app.basePath}`
  return client<E, F, G>(definitions, { attempts: 1, ...options, baseUrl, fetch: app.fetch })
}

export {
  CheckError,
  type CheckFault,
  type CheckReport,
  type FaultRequest,
  type Unreached,
  type Untested,
} from './check/check-error.ts'
export { checkApplication } from './check-application.ts'
export { type Replacement, type Replacements, withReplacements } from './replacements.ts'
export type { CheckOptions, Clients, Credentials } from './session/check-options.ts'
export { type ExampleOptions, examples } from './values/examples.ts'
export { type NearMiss, nearMisses } from './values/near-misses.ts'
