// Streams of answers: in pieces over time, long, without an end, and one that breaks off.
import { endpoint, route, t } from 'edict'

const Streams = endpoint('Streams', {
  actions: {
    pieces: { routing: route.get('/pieces'), responses: { ok: 'text/plain' } },
    long: { routing: route.get('/long'), responses: { ok: 'application/octet-stream' } },
    endless: { routing: route.get('/endless'), responses: { ok: 'text/plain' } },
    ended: { routing: route.get('/ended'), responses: { ok: t.any() } },
    broken: { routing: route.get('/broken'), responses: { ok: 'text/plain' } },
    web: { routing: route.get('/web'), responses: { ok: 'text/plain' } },
  },
})

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
// A proxy that understands it hands pieces on as they come.
const unbuffered = { headers: { 'X-Accel-Buffering': 'no' } }

async function* pieces() {
  yield 'one\n'
  await pause(300)
  yield 'zwei – 二\n'
  await pause(50)
  yield new TextEncoder().encode('three\n')
}

async function* long() {
  for (let i = 0; i < 64; i++) yield new Uint8Array(64 * 1024).fill(i)
}

async function* broken() {
  yield 'a beginning\n'
  await pause(50)
  throw new Error('the rest is lost')
}

/** Streams of each kind. */
export const streams = () => {
  let ended = 0
  async function* endless() {
    try {
      for (;;) {
        yield 'again\n'
        await pause(10)
      }
    } finally {
      ended++
    }
  }
  return Streams.implement({
    pieces: (_, { reply }) => reply.ok(pieces(), unbuffered),
    long: (_, { reply }) => reply.ok(long()),
    endless: (_, { reply }) => reply.ok(endless(), unbuffered),
    ended: (_, { reply }) => reply.ok({ ended }),
    broken: (_, { reply }) => reply.ok(broken(), unbuffered),
    web: (_, { reply }) => reply.ok(new Blob(['from ', 'a blob']).stream() as ReadableStream<Uint8Array>),
  })
}
