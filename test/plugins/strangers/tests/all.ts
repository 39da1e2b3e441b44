// All tests of the package in one process.
import './plugins.js'
import './values.js'
