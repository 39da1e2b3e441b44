// The module of a Worker. What it starts lives as long as the isolate, so that there is nothing to close.
import { app } from './app.js'

let started

export default {
  async fetch(request) {
    started ??= app.start()
    await started
    return app.fetch(request)
  },
}
