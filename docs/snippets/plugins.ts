// The snippets of docs/guide/plugins.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask, exchange, thrown } from './support/http.ts'

// #region timing
import type { Plugin } from 'edict'

/** Tells clients how long the server took, in the header Server-Timing. */
export function serverTiming(): Plugin {
  return {
    name: 'server-timing',
    answer(response, request) {
      const took = Math.ceil(performance.now() - request.arrivedAt)
      response.append('Server-Timing', `total;dur=${took}`)
    },
  }
}
// #endregion

// #region policy
import { type Policy, policy, problem } from 'edict/extend'

/** Lets requests in at these hours only. */
export const openAt = (from: number, to: number): Policy<{ readonly hour: number }> =>
  policy({
    name: 'opening-hours',
    plugin: 'opening-hours',
    settings: { from, to },
    responses: [{ status: 503, code: 'closed', title: 'The library is closed', headers: ['Retry-After'] }],
    terms: { hours: { tells: `${from} to ${to}` } },
    mock: () => ({ admission: (request) => request.add('hour', from) }),
  })

/** Enforces the opening hours of actions. */
export const openingHours = (clock: () => number): Plugin => ({
  name: 'opening-hours',
  enforce: ({ settings }) => {
    const { from, to } = settings as { readonly from: number; readonly to: number }
    return {
      admission(request) {
        const hour = clock()
        if (hour >= from && hour < to) return request.add('hour', hour)
        const headers = { 'Retry-After': '3600' }
        return problem({ status: 503, code: 'closed', title: 'The library is closed', headers })
      },
    }
  },
})
// #endregion

// #region options
import { described, form, isThenable, reportFlaws } from 'edict/extend'

/** Settings of the plugin `notices`. */
export interface NoticeOptions {
  readonly text: string
  /** Whether something is to be announced now. */
  readonly when?: () => boolean | Promise<boolean>
}

const FIELDS: form.Fields<NoticeOptions> = { text: form.required(form.name), when: form.callable }

/** Announces something in a header of every answer. */
export function notices(options: NoticeOptions): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  return {
    name: 'notices',
    checkOptions(report) {
      reportFlaws('notices', flaws, report)
      if (/[^ -~]/.test(value.text)) report('notices.text', `it is ${described(value.text)}`, 'use ASCII')
    },
    answer(response) {
      const announce = (wanted: boolean): void => {
        if (wanted) response.set('X-Notice', value.text)
      }
      const wanted = value.when?.() ?? true
      return isThenable(wanted) ? wanted.then(announce) : announce(wanted)
    },
  }
}
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
  plugins: [serverTiming(), openingHours(() => time)],
})
// #endregion

async function headersOf(line: string): Promise<string> {
  const answer = await ask(app, line)
  return `${line}\n${answer.status} Server-Timing: ${answer.headers.get('Server-Timing')?.replace(/\d+/, '1')}`
}

async function closed(): Promise<string> {
  time = 20
  const written = (await exchange(app, 'GET /desk')).replace(/dur=\d+/, 'dur=1')
  time = 10
  return written
}

/** What the page shows. */
export const shown: Shown = {
  timed: async () => `${await headersOf('GET /desk')}\n\n${await headersOf('GET /nowhere')}`,
  answers: () => answers(app, [['GET /desk', { headers: { 'X-Branch': 'north' } }], 'GET /desk/returns']),
  closed,
  mistakes: async () =>
    thrown(() =>
      application({ controllers: [desk], plugins: [openingHours(() => time), notices({ text: 'Ünder repair' })] }),
    ),
  explained: async () =>
    app
      .explain('Desk.show')
      .flatMap(({ points }) => points.map(({ point, steps }) => `${point}: ${steps.join(', ')}`))
      .join('\n'),
}
