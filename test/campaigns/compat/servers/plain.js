// The application without settings, served without settings.
import { plainApplication } from './plain-api.js'
import { serve } from './serve.js'

const { port } = await serve(plainApplication())
console.log(`port ${port}`)
