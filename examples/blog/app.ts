// The application of this process: the API over the database that DATABASE_URL names. Nothing is read or listened to yet.
import { blogApi } from './api.ts'
import { openDatabase } from './database.ts'

/** Where the blogs are kept. */
export const database = openDatabase(process.env.DATABASE_URL)

/** The blog API. */
export const app = blogApi(database)
