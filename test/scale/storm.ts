// Writers, walkers and readers at several processes of an application, while nodes of its database are killed: every answer
// is counted, and every law that was broken.
import { setTimeout as sleep } from 'node:timers/promises'
import LinkHeader from 'http-link-header'
import type { EventsApp } from './events.ts'

/** The nodes of a database, and the processes that use it. */
export interface Cluster {
  readonly name: string
  readonly apps: readonly EventsApp[]
  /** Whether every read finds every acknowledged write, without a position. */
  readonly consistent?: boolean
  /** The faults of the nodes, one after the other. */
  readonly blows: readonly Blow[]
  /** The ids of all elements that the database has in the end. */
  ids(): Promise<readonly string[]>
  end(): Promise<void>
}

/** Something that happens to a node, and what sets it right. */
export interface Blow {
  readonly title: string
  strike(): Promise<void>
  recover(): Promise<void>
}

/** The counts of a run. */
export interface Seen {
  readonly name: string
  kills: number
  walks: number
  pages: number
  /** Elements that one walk showed twice, and elements that it did not show. */
  repeated: number
  missed: number
  /** Writes that were acknowledged, those of them that are gone, and writes that were done twice. */
  acknowledged: number
  lost: number
  /** Reads of an element right after its client wrote it, at any process, and how many did not find it. */
  ownReads: number
  stale: number
  /** Answers by their status. */
  readonly statuses: Map<number, number>
  /** Answers 503 without `Retry-After`, and answers that are neither a success nor a 503. */
  unadvised: number
  others: number
}

/** How long a storm is, in answers and walks, never in time. */
export interface Length {
  /** Elements that no writer changes. */
  readonly still: number
  /** Successful writes, and walks, before, during and after each blow. */
  readonly writes: number
  readonly walks: number
  /** Whether killed nodes come back after the last blow too. */
  readonly recovers: boolean
}

/** How many laws may be broken. */
export const OK = { repeated: 0, missed: 0, lost: 0, stale: 0, unadvised: 0, others: 0 } as const

/** Lets a storm go over a cluster. */
export async function storm(cluster: Cluster, length: Length, tell: (line: string) => void = () => {}): Promise<Seen> {
  const run = new Storm(cluster, length)
  await run.fill()
  tell(`${cluster.name}: ${length.still} elements`)
  const work = run.begin()
  work.catch((error: unknown) => {
    run.failure = error
  })
  await run.progress()
  for (const blow of cluster.blows) {
    run.allow()
    await blow.strike()
    run.seen.kills++
    await run.progress()
    tell(`${cluster.name}: ${blow.title}; ${summary(run.seen)}`)
    if (blow === cluster.blows.at(-1) && !length.recovers) break
    await blow.recover()
    await run.progress()
  }
  run.over = true
  await work
  await run.check()
  tell(`${cluster.name}: ${summary(run.seen)}`)
  return run.seen
}

const summary = ({ walks, acknowledged, statuses }: Seen): string =>
  `${walks} walks, ${acknowledged} writes, ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

interface Element {
  readonly id: string
}

class Storm {
  readonly seen: Seen
  over = false
  failure: unknown
  readonly #cluster: Cluster
  readonly #length: Length
  readonly #still = new Set<string>()
  readonly #acknowledged: string[] = []
  readonly #sent = new Set<string>()
  /** Where the database was when it had the elements that walks must show: a replica may be behind. */
  #filled: string | undefined
  #writes = 0
  #allowed = 0

  constructor(cluster: Cluster, length: Length) {
    this.#cluster = cluster
    this.#length = length
    this.seen = {
      ...{ name: cluster.name, kills: 0, walks: 0, pages: 0, repeated: 0, missed: 0, acknowledged: 0, lost: 0 },
      ...{ ownReads: 0, stale: 0, statuses: new Map<number, number>(), unadvised: 0, others: 0 },
    }
  }

  async #ask(
    path: string,
    init: { method?: string; body?: object; position?: string | undefined } = {},
  ): Promise<Answered> {
    const app = pick(this.#cluster.apps)
    const headers = new Headers({ 'content-type': 'application/json' })
    if (init.position !== undefined) headers.set('Data-Position', init.position)
    const request = new Request(`http://events.test${path}`, {
      method: init.method ?? 'GET',
      headers,
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    })
    const answer = await app.fetch(request)
    const { status } = answer
    this.seen.statuses.set(status, (this.seen.statuses.get(status) ?? 0) + 1)
    if (![200, 201, 204, 503].includes(status)) this.seen.others++
    if (status === 503 && !answer.headers.has('Retry-After')) this.seen.unadvised++
    const text = await answer.text()
    return { status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Asks until there is an answer other than that it may be asked again. */
  async #askOn(path: string, position?: string): Promise<Answered> {
    for (;;) {
      const answer = await this.#ask(path, { position })
      if (answer.status !== 503) return answer
      await sleep(20)
    }
  }

  async fill(): Promise<void> {
    for (let i = 0; i < this.#length.still; i++) {
      const id = `still-${i}`
      const answer = await this.#ask('/events', { method: 'POST', body: { id, rank: i % 5, word: `w${i % 3}` } })
      if (answer.status !== 201) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      this.#still.add(id)
      this.#filled = answer.headers.get('Data-Position') ?? this.#filled
    }
  }

  async begin(): Promise<void> {
    const twice = <V>(work: () => V): V[] => [work(), work()]
    await Promise.all([...twice(() => this.#write()), ...twice(() => this.#walk())])
  }

  /** Lets writers go on: what they have written makes walks longer, so that they wait for those. */
  allow(): void {
    this.#allowed = this.seen.acknowledged + 4 * this.#length.writes
  }

  /** Waits until writes and walks have gone on. */
  async progress(): Promise<void> {
    const { seen } = this
    this.allow()
    const [writes, walks] = [seen.acknowledged + this.#length.writes, seen.walks + this.#length.walks]
    while (seen.acknowledged < writes || seen.walks < walks) {
      if (this.failure !== undefined) throw this.failure
      await sleep(10)
    }
  }

  async #write(): Promise<void> {
    let position: string | undefined
    while (!this.over) {
      if (this.seen.acknowledged >= this.#allowed) {
        await sleep(10)
        continue
      }
      const id = crypto.randomUUID()
      this.#sent.add(id)
      const body = { id, rank: this.#writes++ % 5, word: `w${this.#writes % 7}` }
      const answer = await this.#ask('/events', { method: 'POST', body })
      if (answer.status === 201) {
        this.seen.acknowledged++
        this.#acknowledged.push(id)
        position = answer.headers.get('Data-Position') ?? position
        await this.#readOwn(id, position)
      } else await sleep(20)
    }
  }

  // A primary node that ends right after a commit cannot tell its position: such a write promises less.
  async #readOwn(id: string, position: string | undefined): Promise<void> {
    if (position === undefined && this.#cluster.consistent !== true) return
    const answer = await this.#askOn(`/events/${id}`, position)
    this.seen.ownReads++
    if (answer.status !== 200) this.seen.stale++
  }

  async #walk(): Promise<void> {
    while (!this.over) {
      const order = pick(['id', 'rank', '-rank', 'word,-rank', '-word', 'rank,-id'])
      const by = order.replace(/^-/, '').split(',')[0]
      const shown: string[] = []
      let path: string | undefined = `/events?order=${order}&pagination=by%3D${by}%2Citems%3D${pick([3, 7, 20, 50])}`
      while (path !== undefined) {
        const { status, headers, body } = await this.#askOn(path, this.#filled)
        if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
        shown.push(...(body as Element[]).map(({ id }) => id))
        this.seen.pages++
        path = LinkHeader.parse(headers.get('link') ?? '').get('rel', 'next')[0]?.uri
      }
      const once = new Set(shown)
      this.seen.repeated += shown.length - once.size
      for (const id of this.#still) if (!once.has(id)) this.seen.missed++
      this.seen.walks++
    }
  }

  async check(): Promise<void> {
    const ids = await this.#cluster.ids()
    const kept = new Set(ids)
    this.seen.lost = [...this.#acknowledged, ...this.#still].filter((id) => !kept.has(id)).length
    this.seen.repeated += ids.length - kept.size
    for (const id of kept) if (!this.#still.has(id) && !this.#sent.has(id)) throw new Error(`Nobody has written ${id}`)
  }
}

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T
