// Step 6: the application on a port.
import { serve } from 'edict/node'
import { libraryIn } from './app.ts'

const app = await libraryIn(process.env['DATABASE_URL'] ?? ':memory:')
const { url } = await serve(app)
console.log(`The library is at ${url}, its documentation at ${url}/docs`)
