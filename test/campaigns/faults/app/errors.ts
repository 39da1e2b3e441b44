// Actions that fail, each in another way and at another moment.
import { setTimeout as sleep } from 'node:timers/promises'
import { controller, endpoint, route } from 'edict'

const actionOf = (path: string) => ({ routing: route.get(`/${path}`), responses: { ok: 'text/plain' } }) as const

const Mistakes = endpoint('Mistakes', {
  actions: {
    synchronous: actionOf('synchronous'),
    asynchronous: actionOf('asynchronous'),
    nothing: actionOf('nothing'),
    before: actionOf('before'),
    after: actionOf('after'),
    around: actionOf('around'),
    response: actionOf('response'),
    stream: actionOf('stream'),
    begun: actionOf('begun'),
    late: actionOf('late'),
    timer: actionOf('timer'),
    rejection: actionOf('rejection'),
  },
})

const fail = (where: string): never => {
  throw new Error(`thrown ${where}`)
}

async function* broken(pieces: number): AsyncGenerator<string> {
  for (let n = 0; n < pieces; n++) yield 'a piece'
  fail('in a stream')
}

/** The controller whose actions all fail. */
export const mistakes = controller(Mistakes, {
  synchronous: () => fail('at once'),
  async asynchronous() {
    await sleep(2)
    return fail('later')
  },
  nothing: () => undefined as never,
  before: () => 'never reached',
  after: () => 'replaced',
  around: () => 'replaced',
  response: () => 'replaced',
  stream: (_, { reply }) => reply.ok(broken(0)),
  begun: (_, { reply }) => reply.ok(broken(3)),
  async late() {
    await sleep(600)
    return fail('after the deadline')
  },
  timer() {
    setTimeout(() => fail('after the answer'), 20)
    return 'answered'
  },
  rejection() {
    void sleep(20).then(() => fail('after the answer, in a promise'))
    return 'answered'
  },
})
  .before({ actions: ['before'] }, () => fail('before the action'))
  .after({ actions: ['after'] }, () => fail('after the action'))
  .around({ actions: ['around'] }, async (_, next) => {
    await next()
    fail('around the action')
  })
  .before('response', { actions: ['response'] }, () => fail('before the response'))
