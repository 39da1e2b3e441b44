// The application that every runtime serves: one controller for each subject of the cases, and nothing of any runtime.
import { type Application, application } from 'edict'
import { docs } from 'edict/docs'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { books, shelf } from './books.ts'
import { cards, failures, vault } from './failures.ts'
import { doors, searches } from './inputs.ts'
import { editions, paths } from './paths.ts'
import { streams } from './streams.ts'
import { uploads } from './uploads.ts'

/** Makes the application; a server behind a proxy has the proxy's prefix in its base path. */
export function compatApplication(prefix = ''): Application {
  return application({
    title: 'Compatibility',
    basePath: `${prefix}/api`,
    timeout: 1500,
    controllers: [books, searches, doors, failures, vault, ...editions, paths(), streams(), uploads()],
    verifiers: [cards],
    plugins: [mapper({ resources: [shelf] }), pagination(), docs()],
    logger: { info() {}, warn() {}, error() {} },
  })
}
