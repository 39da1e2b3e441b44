// The snippets of docs/guide/plugins.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask, thrown } from './support/http.ts'

// #region timing
import type { Plugin } from 'edict'

/** Tells clients how long the server took, in the header Server-Timing. */
export function serverTiming(): Plugin {
  return {
    name: 'server-timing',
    response(response, request) {
      const took = Math.ceil(performance.now() - request.arrivedAt)
      response.append('Server-Timing', `total;dur=${took}`)
    },
  }
}
// #endregion

// #region options
import { describeValue, form, isThenable, reportFlaws } from 'edict/extend'

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
      if (/[^ -~]/.test(value.text)) report('notices.text', `it is ${describeValue(value.text)}`, 'use ASCII')
    },
    response(response) {
      const announce = (wanted: boolean): void => {
        if (wanted) response.set('X-Notice', value.text)
      }
      const wanted = value.when?.() ?? true
      return isThenable(wanted) ? wanted.then(announce) : announce(wanted)
    },
  }
}
// #endregion

// #region codes
import { defineCodes, isRefusal, Refusal } from 'edict/extend'

const codes = defineCodes('loans', {
  issues: { 'loan-days': 'must be at most {limit} days' },
  failures: { 'book-lent': { status: 409, title: 'The book is lent' } },
})

/** Lends books; a function of a library, called by actions. */
export function lend(book: number, days: number): string {
  if (days > 30) throw Refusal.ofParams([{ pointer: '/days', code: codes.issues['loan-days'], detail: { limit: 30 } }])
  if (book === 7) throw new Refusal({ ...codes.failures['book-lent'], detail: 'It is back on Monday.' })
  return `Lent for ${days} days`
}

/** The plugin that brings the codes. */
export const loans = (): Plugin => ({ name: 'loans', codes })

/** Whether a book was not there. */
export const isLent = (error: unknown): boolean => isRefusal(error) && error.code === 'book-lent'
// #endregion

import { application, controller, endpoint, route, t } from 'edict'

const Loans = endpoint('Loans', {
  actions: {
    create: {
      routing: route.post('/:book'),
      params: { book: t.integer({ required: true }), days: t.integer({ default: 7 }) },
      responses: { ok: 'text/plain' },
    },
  },
})
const lending = application({
  controllers: [controller(Loans, { create: ({ book, days }) => lend(book, days) })],
  plugins: [loans()],
})

const Desk = endpoint('Desk', {
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
const desk = controller(Desk, { show: () => 'open' })
const app = application({ controllers: [desk], plugins: [serverTiming(), notices({ text: 'Closed on Monday' })] })

async function headersOf(line: string): Promise<string> {
  const answer = await ask(app, line)
  return `${line}\n${answer.status} Server-Timing: ${answer.headers.get('Server-Timing')?.replace(/\d+/, '1')}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  refused: () => answers(lending, ['POST /loans/8', 'POST /loans/7', 'POST /loans/8?days=31']),
  timed: async () => `${await headersOf('GET /desk')}\n\n${await headersOf('GET /nowhere')}`,
  mistakes: async () =>
    thrown(() => application({ controllers: [desk], plugins: [notices({ text: 'Ünder repair' })] })),
  explained: async () =>
    app
      .explain('Desk.show')
      .flatMap(({ points }) => points.map(({ point, steps }) => `${point}: ${steps.join(', ')}`))
      .join('\n'),
}
