// The application on Node, as `serve` serves it; the first argument is a prefix of its paths.
import { compatApplication } from './api.js'
import { serve } from './serve.js'

const { port } = await serve(compatApplication(process.argv[2]), { port: 0, host: '127.0.0.1', signals: false })
console.log(`port ${port}`)
