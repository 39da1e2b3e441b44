// The application on Deno's own server.
import { compatApplication } from './api.js'

const onListen = ({ port }) => console.log(`port ${port}`)
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, compatApplication().fetch)
