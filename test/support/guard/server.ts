// Stands in for src/server/create-server.ts wherever a test reaches it: the same, with its answers watched.

import type { ApplicationOptions } from '../../../src/server/application-options.ts'
import { type Api, createServer as make } from '../../../src/server/create-server.ts'
import { sink } from './sink.ts'
import { watch } from './watch.ts'

export type * from '../../../src/server/create-server.ts'

/** How applications are run that do not say it themselves: as in production, where most bodies leave unchecked. */
const moded = (options: ApplicationOptions): ApplicationOptions =>
  process.env['EDICT_TEST_MODE'] === 'production'
    ? { environment: 'production', validateResponses: 'off', ...options }
    : options

/** Puts an application together whose answers are watched. */
export function createServer(options: ApplicationOptions, fetchOf: Parameters<typeof make>[1]): Api {
  return watch(make(moded(options), fetchOf), options, sink)
}
