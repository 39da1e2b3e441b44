// `npm start`: serves the application until the process gets a signal to stop.
import { serve } from 'edict/node'
import { app, database } from './app.ts'

await database.prepare()
// On the port of PORT, or 3000. SIGTERM and SIGINT let requests finish, then the database is closed.
const { url } = await serve(app, { onClose: database.close })
console.log(`${app.title} is at ${url}${app.basePath}, its documentation at ${url}${app.basePath}/docs`)
