// The public entry `edict/testing`: the same calls as a client's, answered in process, without a socket.

import type { Application } from '../application.ts'
import { client } from '../client/client.ts'
import type { Client, ClientOptions, ProblemOf } from '../client/types.ts'
import type { Attribute } from '../schema/attribute.ts'

/** Makes a client that calls an application directly. */
export function testClient<E extends object, F extends Attribute | undefined = undefined>(
  app: Pick<Application, 'fetch' | 'basePath'>,
  definitions: E,
  options: Omit<ClientOptions<F>, 'baseUrl' | 'fetch'> = {},
): Client<E, ProblemOf<F>> {
  return client<E, F>(definitions, { ...options, baseUrl: `http://application.test${app.basePath}`, fetch: app.fetch })
}
