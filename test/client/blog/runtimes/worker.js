// A worker: the address is in the query of the request that starts the tour.
import { run } from './run.js'

export default {
  async fetch(request) {
    try {
      return Response.json(await run(new URL(request.url).searchParams.get('base'), false))
    } catch (error) {
      return Response.json(String(error.stack))
    }
  },
}
