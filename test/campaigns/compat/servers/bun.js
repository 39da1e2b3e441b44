// The application on Bun's own server.
import { compatApplication } from './api.js'

const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: compatApplication().fetch })
console.log(`port ${port}`)
