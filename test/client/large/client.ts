// A process that sends and receives a large file by the client, and prints how much memory that took.
import { client, progress } from 'edict/client'
import { Files } from './files.ts'

const MEGABYTE = 2 ** 20
const [baseUrl = '', size = '1'] = process.argv.slice(2)
const megabytes = Number(size)
const seen = { upload: [0, 0], download: [0, 0] }
let peak = 0
const around = progress(({ direction, bytes }) => {
  const reports = (seen[direction][1] ?? 0) + 1
  seen[direction] = [bytes, reports]
  if (reports % 64 === 0) peak = Math.max(peak, held())
})
/** The memory that is in use, without what the engine has yet to collect. */
function held(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const { Files: files } = client({ Files }, { baseUrl, around })

function pieces(count: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = count * 16
  return new ReadableStream({
    pull(stream) {
      if (left-- === 0) stream.close()
      else stream.enqueue(new Uint8Array(MEGABYTE / 16))
    },
  })
}

async function exchange(count: number): Promise<{ readonly kept: string; readonly received: number }> {
  const kept = String(await files.keep.ok(undefined, { payload: pieces(count) }))
  const body = await files.show.ok({ megabytes: count }, { stream: true })
  let received = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) received += piece.length
  return { kept, received }
}

// Everything is loaded and compiled before the memory counts.
await exchange(4)
const before = held()
peak = before
seen.upload = [0, 0]
seen.download = [0, 0]
const { kept, received } = await exchange(megabytes)
console.log(JSON.stringify({ kept, received, ...seen, grown: Math.round((peak - before) / MEGABYTE) }))
