// The public entry `edict/testing`: the same calls as a client's, answered in process, without a socket.

import type { Application } from '../application.ts'
import { client } from '../client/client.ts'
import type { Client, ClientOptions, Definitions } from '../client/types.ts'

/** Makes a client that calls an application directly. */
export function testClient<E extends Definitions>(
  app: Pick<Application, 'fetch' | 'basePath'>,
  definitions: E,
  options: Omit<ClientOptions, 'baseUrl' | 'fetch'> = {},
): Client<E> {
  return client(definitions, { ...options, baseUrl: `http://application.test${app.basePath}`, fetch: app.fetch })
}
