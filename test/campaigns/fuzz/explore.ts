// One random application under its laws: right requests, flawed ones and odd ones, in every way that leads to it.
import { inspect, isDeepStrictEqual } from 'node:util'
import { client } from 'edict/client'
import type { ApiSpec } from './declarations/api.ts'
import { type Built, boot, ORDER, type Order, type Seen, type Served } from './declarations/build.ts'
import { isSentFile } from './declarations/scalars.ts'
import { Draw } from './draw.ts'
import { broken, isRefused, isSame, isUnambiguous, sawExactly } from './laws.ts'
import { isPlanned, planReply, type Reply } from './replies.ts'
import { type Case, flawedCase, validCase } from './requests/cases.ts'
import { oddRequest } from './requests/misses.ts'
import { type Answered, byFetch, byHand, openSocket, type Sent, type Socket, survivesParsing } from './transports.ts'

/** The counts of a run. */
export interface Tally {
  declarations: number
  refused: number
  valid: number
  flawed: number
  odd: number
  sockets: number
  calls: number
  lists: number
}

/** Counts from nothing. */
export const emptyTally = (): Tally => ({
  declarations: 0,
  refused: 0,
  valid: 0,
  flawed: 0,
  odd: 0,
  sockets: 0,
  calls: 0,
  lists: 0,
})

/** Breaks a step on purpose, so that the laws can be seen to fail. */
export interface Tampering {
  readonly seen?: (seen: Seen) => Seen
  readonly answer?: (answered: Answered, sent: Sent) => Answered
}

/** How much of an application is tried. */
export interface Effort {
  readonly seed: number
  readonly requests: number
  /** Whether it is put on a real socket, too. */
  readonly socket: boolean
}

/** Tries an application; throws at the first law that it breaks. */
export async function explore(spec: ApiSpec, effort: Effort, tally: Tally, tampering: Tampering = {}): Promise<void> {
  const built = boot(spec, tampering.seen)
  if (built === undefined) {
    tally.refused++
    return
  }
  tally.declarations++
  const explorer = new Explorer(built, new Draw(effort.seed), tally, tampering)
  await explorer.run(effort)
}

class Explorer {
  readonly #built: Built
  readonly #draw: Draw
  readonly #tally: Tally
  readonly #tampering: Tampering
  #socket: Socket | undefined
  #orders = 0

  constructor(built: Built, draw: Draw, tally: Tally, tampering: Tampering) {
    this.#built = built
    this.#draw = draw
    this.#tally = tally
    this.#tampering = tampering
  }

  async run({ requests, socket }: Effort): Promise<void> {
    const { app, served } = this.#built
    for (const version of app.versions) app.openapi(version)
    if (socket) this.#socket = await openSocket(app)
    try {
      for (let i = 0; i < requests; i++) {
        const route = this.#draw.pick(served)
        const kind = this.#draw.unit()
        if (kind < 0.5) await this.#valid(route)
        else if (kind < 0.85) await this.#flawed(route)
        else await this.#odd(route)
        if (i % 16 === 0) await this.#call(route)
      }
    } finally {
      await this.#socket?.close()
    }
  }

  async #send(sent: Sent): Promise<Answered> {
    const { answer } = this.#tampering
    const answered = await byHand(this.#built.app, sent)
    return answer === undefined ? answered : answer(answered, sent)
  }

  #order(respond: Order['respond']): [string, Order] {
    const order: Order = { respond }
    const id = `order-${this.#orders++}`
    this.#built.orders.clear()
    this.#built.orders.set(id, order)
    return [id, order]
  }

  async #valid(served: Served): Promise<void> {
    const reply = planReply(served, this.#draw)
    const [id, order] = this.#order(reply.respond)
    const drawn = validCase({ built: this.#built, served, order: id }, this.#draw)
    const one =
      reply.accept === undefined
        ? drawn
        : { ...drawn, sent: { ...drawn.sent, headers: { ...drawn.sent.headers, Accept: reply.accept } } }
    const answered = await this.#send(one.sent)
    this.#tally.valid++
    // Which of several routes answers is the router's own matter.
    if (!isUnambiguous(this.#built, one)) return
    await sawExactly(one, order, answered)
    isPlanned(one.sent, reply, answered)
    await this.#otherWays(one, order, answered)
  }

  // The same over app.fetch and a real socket; a GET without its body is HEAD.
  async #otherWays(one: Case, order: Order, answered: Answered): Promise<void> {
    const { sent } = one
    const bodyless = sent.method === 'GET' || sent.method === 'HEAD'
    if (!survivesParsing(sent.url) || (bodyless && sent.body !== undefined) || sent.method === 'TRACE') return
    if (this.#socket !== undefined) {
      order.seen = undefined as never
      const bySocket = await this.#socket.send(sent)
      this.#tally.sockets++
      if (sent.method !== 'HEAD') isSame('A socket gives the same answer', sent, answered, bySocket)
      await sawExactly(one, order, bySocket)
    } else if (!this.#draw.chance(0.15)) return
    const fetched = await byFetch(this.#built.app, sent)
    this.#tally.valid++
    if (sent.method !== 'HEAD') isSame('app.fetch gives the same answer', sent, answered, fetched)
    if (sent.method === 'GET') await this.#head(one, fetched)
  }

  async #head(one: Case, got: Answered): Promise<void> {
    const sent = { ...one.sent, method: 'HEAD' }
    if (!isUnambiguous(this.#built, { ...one, sent })) return
    const head = await byFetch(this.#built.app, sent)
    this.#tally.valid++
    if (head.body.length > 0) broken('HEAD has no body', sent, head)
    const { 'content-length': _, ...headers } = head.headers
    const { 'content-length': __, ...wanted } = got.headers
    isSame(
      'HEAD is GET without its body',
      sent,
      { ...head, headers },
      { ...got, headers: wanted, body: Buffer.from('') },
    )
    const length = head.headers['content-length'] ?? got.headers['content-length']
    if (length !== got.headers['content-length']) broken('HEAD has the length of GET', sent, head)
  }

  async #flawed(served: Served): Promise<void> {
    const [id, order] = this.#order((reply) => Object.values(reply)[0]?.())
    const one = flawedCase({ built: this.#built, served, order: id }, this.#draw)
    if (one === undefined) return
    const answered = await this.#send(one.sent)
    this.#tally.flawed++
    if (!isUnambiguous(this.#built, one)) return
    isRefused(one, order, answered, this.#built.spec.status)
    if (this.#socket === undefined || !survivesParsing(one.sent.url)) return
    const bySocket = await this.#socket.send(one.sent)
    this.#tally.sockets++
    if (one.sent.method !== 'HEAD') isSame('A socket refuses in the same way', one.sent, answered, bySocket)
  }

  async #odd(served: Served): Promise<void> {
    const reply = planReply(served, this.#draw)
    const [id, order] = this.#order(reply.respond)
    const one = validCase({ built: this.#built, served, order: id }, this.#draw)
    const odd = oddRequest(this.#built, one, this.#draw)
    if (odd === undefined) return
    const answered = await this.#send(odd.sent)
    this.#tally.odd++
    odd.check(answered)
    if (odd.unseen && order.seen !== undefined) broken('A refused request reaches no controller', odd.sent, answered)
  }

  // The typed client writes what the server reads.
  async #call(served: Served): Promise<void> {
    const { action } = served
    const [route] = action.routes
    if (route === undefined || route !== served.route || route.verb === 'head' || route.verb === 'options') return
    const reply = planReply(served, this.#draw)
    const [id, order] = this.#order(reply.respond)
    const one = validCase({ built: this.#built, served, order: id }, this.#draw)
    const verb = route.verb === 'any' ? 'GET' : route.verb.toUpperCase()
    const asked = { ...one, sent: { ...one.sent, method: verb } }
    if (!survivesParsing(one.sent.url) || !isUnambiguous(this.#built, asked)) return
    const { payload } = one.expected
    if ((verb === 'GET' && payload !== undefined) || holdsFile(payload) || holdsMade(one)) return
    const headers = { ...(one.expected.headers as object), [ORDER]: id, ...(reply.accept && { Accept: reply.accept }) }
    this.#tally.calls++
    const answer = await this.#calls(served)(one.expected.params, { payload, headers }).catch((error: Error) =>
      broken(
        `The client reads what the server writes: ${error.message}`,
        asked.sent,
        undefined,
        inspect(reply.response),
      ),
    )
    await this.#isRead(asked, order, reply, answer)
  }

  #calls({ endpoint, action }: Served): (params: unknown, options: object) => Promise<any> {
    const { app, definitions, spec } = this.#built
    const [versionWith] = spec.carriers
    const options = { baseUrl: `http://fuzz.test${app.basePath}`, versionWith, fetch: app.fetch }
    const calls = client({ it: definitions[endpoint.name] as never }, options as never)
    return (calls as any).it[action.name]
  }

  async #isRead({ sent, ...one }: Case, order: Order, reply: Reply, answer: any): Promise<void> {
    const body = Buffer.from(JSON.stringify(answer.problem ?? null))
    const answered: Answered = { status: answer.status, headers: Object.fromEntries(answer.headers), body }
    await sawExactly({ ...one, sent }, order, answered)
    if (answer.name !== reply.response.name && reply.response.body.is !== 'failure')
      broken(`The client knows the answer as '${reply.response.name}'`, sent, answered)
    if ('json' in reply && !isDeepStrictEqual(asJson(answer.body), asJson(reply.json)))
      broken(
        'The client gives the body that was sent',
        sent,
        answered,
        `${inspect(answer.body)}\n${inspect(reply.json)}`,
      )
  }
}

const holdsFile = (value: unknown): boolean =>
  isSentFile(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsFile))

// A foreign schema may not accept a value that it has changed.
const holdsMade = ({ served: { action } }: Case): boolean =>
  JSON.stringify([action.params, action.headers, action.payload]).includes('"checked"')

const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))
