// Serves the API until the process gets a signal to stop.
import { serve } from 'edict/node'
import { app } from './app.ts'

const { url } = await serve(app, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`Conduit is at ${url}${app.basePath}, its documentation at ${url}${app.basePath}/docs`)
