// bun src/bun.js
import { app } from './app.js'

await app.start()
const server = Bun.serve({ port: process.env.PORT ?? 3000, fetch: app.fetch })
console.log(`Listening on ${server.url}`)

async function end() {
  app.drain() // readiness checks fail from now on
  await server.stop() // resolves when every request has its answer
  await app.close()
  process.exit()
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void end())
