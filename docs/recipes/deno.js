// deno run --allow-net --allow-env=PORT src/deno.js
import { app } from './app.js'

await app.start()
const server = Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000) }, app.fetch)

for (const signal of ['SIGTERM', 'SIGINT']) {
  Deno.addSignalListener(signal, async () => {
    app.drain() // readiness checks fail from now on
    await server.shutdown() // resolves when every request has its answer
    await app.close()
    Deno.exit()
  })
}
