// A server of large files in this process, and a client of them in another.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { application } from 'edict'
import { serve } from 'edict/node'
import { Files } from './files.ts'

/** The account of one exchange. */
export interface Exchange {
  /** The bytes that the server counted. */
  readonly kept: string
  readonly received: number
  /** The bytes of the last report of each direction, and the number of reports. */
  readonly upload: readonly [bytes: number, reports: number]
  readonly download: readonly [bytes: number, reports: number]
  /** By how many megabytes the memory that the client held grew at most. */
  readonly grown: number
}

async function* made(megabytes: number): AsyncGenerator<Uint8Array> {
  for (let left = megabytes * 16; left > 0; left--) yield new Uint8Array(65_536)
}

const app = application({
  controllers: [
    Files.implement({
      async keep(_, { request, reply }) {
        let bytes = 0
        for await (const piece of request.payload) bytes += piece.length
        return reply.ok(String(bytes))
      },
      show: ({ megabytes }, { reply }) => reply.ok(made(megabytes)),
    }),
  ],
})

/** Sends a file of some megabytes and receives one, in a process of its own. */
export async function exchanged(megabytes: number): Promise<Exchange> {
  const { url, close } = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false })
  try {
    const args = ['--expose-gc', '--import', 'tsx', 'test/client/large/client.ts', url, `${megabytes}`]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout)
  } finally {
    await close()
  }
}
