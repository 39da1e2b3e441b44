// A third-party package: a plugin that counts and marks every answer, and a policy with a response of its own.
import { type Plugin, Responses, t } from 'edict'
import { type Policy, type PolicySteps, policy, problem } from 'edict/extend'

/** The counts of requests, by status. */
export type Counts = Map<number, number>

/** Counts every request by its status, marks every answer, and answers `/ping` before routing. */
export function counter(counts: Counts): Plugin {
  return {
    name: 'counter',
    arrival: ({ url }) => (url === '/ping' ? new Responses.Ok({ body: 'pong' }) : undefined),
    response(response, request) {
      response.set('X-Counted', request.action ?? 'none')
    },
    end(_, { status }) {
      counts.set(status, (counts.get(status) ?? 0) + 1)
    },
  }
}

/** The reader that a library card belongs to. */
export interface Reader {
  readonly card: string
}

/** Asks for a library card, and gives the action its reader. */
export const cardNeeded = (prefix: string): Policy<{ readonly reader: Reader }> =>
  policy({
    name: 'card',
    plugin: 'cards',
    settings: prefix,
    headers: { 'X-Card': t.string() },
    responses: [{ status: 402, code: 'card-needed', title: 'A library card is needed' }],
    terms: { card: { means: prefix } },
  })

/** Enforces the policy. */
export const cards = (): Plugin => ({
  name: 'cards',
  enforce: ({ settings }): PolicySteps => ({
    admission(request) {
      const card = request.headers['x-card']
      if (typeof card === 'string' && card.startsWith(String(settings))) return request.add('reader', { card })
      return problem({ status: 402, code: 'card-needed', title: 'A library card is needed' })
    },
  }),
})
