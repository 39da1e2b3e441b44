// The corpus of hostile input over TLS, in HTTP/1.1 and in HTTP/2: the answers are those of plain HTTP/1.1. A desk and CI play
// a part of it, `EDICT_LONG=1` all.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { session } from '../support/serving/streams.ts'
import type { HostileCase } from './hostile/case.ts'
import { corpus } from './hostile/cases/index.ts'
import { Contestant, secureEdict } from './hostile/contestant.ts'
import { seenFaults } from './hostile/judge.ts'
import { playHttp2, saidInHttp2 } from './hostile/secure/http2.ts'
import { play } from './hostile/wire.ts'

const cases = corpus.flatMap((group) => group.cases)
const every = runs(16, 1)
const played = cases.filter((_, i) => i % every === 0)
/** Cases that are under way at the same time. */
const AT_ONCE = 8

let server: Contestant

beforeAll(async () => {
  server = await Contestant.start(secureEdict)
}, 60_000)

afterAll(() => server.stop())

/** Plays cases, several at a time; lists the faults by the id of their case. */
async function faultsOf(
  chosen: readonly HostileCase[],
  faults: (one: HostileCase) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = []
  const left = [...chosen]
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      for (const fault of await faults(one)) found.push(`${one.id} ${one.says}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

it('is served over TLS as it is without', async () => {
  const found = await faultsOf(played, async (one) => {
    const { app = 'surface', steps, sequence, head = false, linger = 0, patience = 5000 } = one
    const expected = sequence?.length ?? 1
    return seenFaults(
      one,
      await play({ port: server.port(app), tls: true, steps, expected, head, linger, patience }),
      'edict',
    )
  })
  expect(found).toEqual([])
  expect(await server.serves('surface')).toBe(true)
}, 120_000)

it('is served in HTTP/2 as far as it can be said there', async () => {
  const sayable = played.filter((one) => saidInHttp2(one) !== undefined)
  expect(sayable.length / played.length).toBeGreaterThan(0.5)
  const found = await faultsOf(sayable, async (one) => {
    const said = saidInHttp2(one)
    if (said === undefined) return []
    const client = await session(server.port(one.app ?? 'surface'))
    client.on('error', () => {})
    const seen = await playHttp2(client, said)
    client.destroy()
    return seenFaults(orReset(one), seen, 'edict')
  })
  expect(found).toEqual([])
  expect(await server.serves('surface')).toBe(true)
}, 120_000)

// node:http2 resets a stream whose head is not valid, where HTTP/1.1 has an answer for it; and every method is one to it,
// where the parser of HTTP/1.1 knows only those that there are.
const orReset = (one: HostileCase): HostileCase =>
  one.allow.some((outcome) => outcome === 400 || outcome === 431)
    ? { ...one, allow: [...one.allow, 'closed', 405] }
    : one
