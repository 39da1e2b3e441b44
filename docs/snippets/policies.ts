// The snippets of docs/guide/policies.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange } from './support/http.ts'

// #region policy
import type { ActionResponse, Plugin } from 'edict'
import { type Policy, policy, problem } from 'edict/extend'

/** Lets requests in at these hours only. */
export const openAt = (from: number, to: number): Policy<{ readonly hour: number }> =>
  policy({
    name: 'opening-hours',
    plugin: 'opening-hours',
    settings: { from, to },
    responses: [{ status: 503, code: 'closed', title: 'The library is closed', headers: ['Retry-After'] }],
    terms: { hours: { info: `${from} to ${to}` } },
    mock: () => ({ admission: (request) => request.add('hour', from) }),
  })

const closed = (): ActionResponse =>
  problem({ status: 503, code: 'closed', title: 'The library is closed', headers: { 'Retry-After': '3600' } })

/** Enforces the opening hours of actions. */
export const openingHours = (clock: () => number): Plugin => ({
  name: 'opening-hours',
  enforce: ({ settings }) => {
    const { from, to } = settings as { readonly from: number; readonly to: number }
    return {
      admission(request) {
        const hour = clock()
        return hour >= from && hour < to ? request.add('hour', hour) : closed()
      },
    }
  },
})
// #endregion

// #region use
import { application, controller, endpoint, need, route } from 'edict'

const branch = need(({ request }) => ({ name: request.env.headers['x-branch'] ?? 'main' }))

const Desk = endpoint('Desk', {
  actionDefaults: { policies: [openAt(9, 17)], needs: { branch } },
  actions: {
    show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    returns: { routing: route.get('/returns'), policies: [openAt(0, 24)], responses: { ok: 'text/plain' } },
  },
})

let time = 10

const desk = controller(Desk, {
  show: (_, { hour, branch }) => `The ${branch.name} desk is open at ${hour}`,
  returns: () => 'Use the box',
})

const app = application({
  controllers: [desk],
  plugins: [openingHours(() => time)],
})
// #endregion

async function outside(): Promise<string> {
  time = 20
  const written = await exchange(app, 'GET /desk')
  time = 10
  return written
}

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () => answers(app, [['GET /desk', { headers: { 'X-Branch': 'north' } }], 'GET /desk/returns']),
  closed: outside,
}
