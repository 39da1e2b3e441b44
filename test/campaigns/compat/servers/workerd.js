// The application as the module of a worker.
import { compatApplication } from './api.js'

export default { fetch: compatApplication().fetch }
