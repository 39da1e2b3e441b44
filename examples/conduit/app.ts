// The application of this process, over the database that DATABASE_URL names. Nothing listens yet.
import { conduitApi } from './api.ts'
import { openDatabase } from './database.ts'

/** The Conduit API. */
export const app = conduitApi(await openDatabase(process.env['DATABASE_URL']))
