// Starts database servers once for a whole run, each when a test file first asks for it, and ends them with the run.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { Served } from './serve.ts'

// Their clients are loaded only when they are needed, as every run begins here.
const servers: Readonly<Record<string, () => Promise<Served>>> = {
  postgres: async () => (await import('./postgres-server.ts')).servePostgres(),
  mariadb: async () => (await import('./mariadb-server.ts')).serveMariadb(),
}

/** Answers test files that ask for a server with where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = new Map<string, Promise<Served>>()
  const start = (name: string): Promise<Served> => {
    const served = running.get(name) ?? servers[name]?.() ?? Promise.reject(new Error('there is no such server'))
    running.set(name, served)
    return served
  }
  const door = createServer((request, response) => {
    start(request.url?.slice(1) ?? '').then(
      ({ started }) => response.end(JSON.stringify(started)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  project.provide('engines', `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    door.closeAllConnections()
    const settled = await Promise.allSettled(running.values())
    await Promise.all(settled.map(async (one) => one.status === 'fulfilled' && (await one.value.stop())))
  }
}
