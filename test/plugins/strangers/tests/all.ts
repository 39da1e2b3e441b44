// All tests of the package in one process.
import './gates.js'
import './plugins.js'
import './values.js'
import './webhooks.js'
