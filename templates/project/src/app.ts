// The application of this process, which the commands of edict read too. Nothing listens yet: see server.ts.
import { createApi } from './api.ts'
import { openDatabase } from './database.ts'

/** Where everything is kept: a file, or whatever DATABASE_URL names. */
export const database = openDatabase(process.env['DATABASE_URL'] ?? 'file:data.db')

/** The API. */
export const app = createApi(database)
