// Whatever a response is made of is closed exactly once, on every way out and over every transport.
import { readdir, readlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { type Course, kinds, MEANINGS, type Meaning, type Probe, TEXT_KINDS } from './kinds.ts'
import { type Transport, transports } from './transports.ts'
import { appOf, cases, type Way, ways } from './ways.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
let count = 0

interface Sent extends Probe {
  readonly what: string
}

async function sendOne(transport: Transport, way: string, kind: string, meaning: Meaning): Promise<Sent> {
  const { method = 'GET', headers = {}, course = 'short', leaves } = ways[way] as Way
  const probe: Sent = { what: `${kind} as ${meaning}`, opened: 0, closed: 0 }
  const id = String(count++)
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const make = () => kinds[kind]?.(probe, course as Course, meaning)
  cases.set(id, { way, meaning, probe, make, begin })
  const own = 'idempotency-key' in headers ? { ...headers, 'idempotency-key': id } : headers
  await transport.send({ method, path: `/bodies/${meaning}?id=${id}`, headers: own, leaves, begun })
  return probe
}

// All ways over all transports take a minute; at a desk the first transport goes them all, and the others a part of them.
const OWN = /^(?:sent|HEAD|fails|the client)/
const waysOver = (name: string): readonly string[] => {
  const [at, each] = [transports.findIndex(([one]) => one === name), runs(3, 1)]
  return Object.keys(ways).filter((way, i) => at === 0 || OWN.test(way) || i % each === at % each)
}

describe.each(transports)('%s', (name, open) => {
  let transport: Transport
  beforeAll(async () => {
    transport = await open(appOf())
  })
  afterAll(() => transport.close())

  it.each(waysOver(name))('is closed once: %s', async (way) => {
    const { without = [], textOnly = false, course } = ways[way] as Way
    const meanings: readonly Meaning[] = textOnly ? ['text'] : MEANINGS
    // Lambda would collect an endless file, and an endless cursor, without a pause.
    const isEndless = name === 'Lambda' && course === 'endless'
    const goes = (kind: string, meaning: Meaning): boolean =>
      !without.includes(kind) &&
      !(isEndless && /file$|cursor/.test(kind)) &&
      (meaning === 'text' || !TEXT_KINDS.includes(kind))
    const all = await Promise.all(
      Object.keys(kinds).flatMap((kind) =>
        meanings.filter((meaning) => goes(kind, meaning)).map((meaning) => sendOne(transport, way, kind, meaning)),
      ),
    )
    const open = () => all.filter(({ opened, closed }) => closed !== opened)
    const made = () => all.some(({ opened }) => opened > 0)
    await expect.poll(() => [made(), open()], { timeout: 10_000, interval: 5 }).toEqual([true, []])
    // A second time would follow at once; some bodies come later than others.
    await pause(5)
    await expect.poll(open, { timeout: 10_000, interval: 5 }).toEqual([])
    expect(all.filter(({ opened, closed }) => opened > 1 || closed > 1)).toEqual([])
  })
})

/** The descriptors of this process that lead to a file. */
async function descriptorsOf(path: string): Promise<number> {
  // Other systems than Linux do not tell.
  const all = await readdir('/proc/self/fd').catch(() => [])
  const links = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return links.filter((link) => link === path).length
}

it('no descriptor of a download is left open, by HEAD, GET and refusals', async () => {
  const [, open] = transports[0] as (typeof transports)[number]
  const transport = await open(appOf())
  const path = `${import.meta.dirname}/kinds.ts`
  for (const way of ['HEAD', 'sent', 'a response that is not declared', 'a header that cannot be sent'])
    await Promise.all(Array.from({ length: 100 }, () => sendOne(transport, way, 'a file', 'text')))
  await expect.poll(() => descriptorsOf(path), { timeout: 10_000 }).toBe(0)
  await transport.close()
})

it('the pieces that a callback or a plugin wraps are all sent', async () => {
  const app = appOf()
  for (const way of ['wrapped by a callback', 'wrapped by a plugin'])
    for (const kind of ['a stream of Node', 'a web stream', 'an async generator', 'an async iterator']) {
      const id = String(count++)
      const probe = { opened: 0, closed: 0 }
      cases.set(id, { way, meaning: 'text', probe, make: () => kinds[kind]?.(probe, 'short', 'text'), begin() {} })
      const response = await app.fetch(new Request(`http://a.test/bodies/text?id=${id}`))
      expect([way, kind, await response.text()]).toEqual([way, kind, '0;1;2;'])
    }
})
