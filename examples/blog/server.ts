// `npm start`: serves the application until the process gets a signal to stop.
import { serve } from 'edict/node'
import { app, database } from './app.ts'

await database.prepare()
const { url } = await serve(app, { port: Number(process.env.PORT ?? 3000) })
console.log(`
The blog API is at ${url}${app.basePath}, its documentation at ${url}${app.basePath}/docs. Try:

  curl '${url}/api/v1.0/blogs?order=-created_at&pagination=items=3'
  curl -i '${url}/api/v1.0/blogs/1?colour=red'
`)
