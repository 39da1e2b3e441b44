// The snippets of docs/guide/translating.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region german
import { application, endpoint, problemEncoder, route, t } from 'edict'
import type { IssueCode, Reason } from 'edict/extend'

const kinds: Readonly<Record<string, string>> = { integer: 'eine ganze Zahl', string: 'ein Text' }
const texts: Partial<Record<IssueCode, string>> = {
  missing: 'fehlt',
  type: 'muss {kind} sein',
  unknown: 'ist unbekannt',
}
const reasons: Readonly<Record<string, string>> = {
  'no-route': 'Diesen Pfad gibt es nicht.',
  'json-syntax': 'Das JSON ist falsch in Zeile {line}, Spalte {column}.',
}

const fill = (text: string, values: Reason['values']): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => [values?.[name] ?? ''].flat().join(', '))

const inGerman = problemEncoder('text/plain', ({ errors = [], title }, { reason, findSentValue: sentValue }) => {
  const lines = errors.map((error) => {
    const { code, pointer, detail } = error
    const values = { ...detail, kind: kinds[String(detail?.['kind'])] ?? '' }
    const sent = sentValue(error)
    const not = sent === undefined ? '' : `, nicht ${JSON.stringify(sent)}`
    return `${pointer.slice(1)} ${fill(texts[code as IssueCode] ?? code, values)}${not}`
  })
  if (reason !== undefined) lines.push(fill(reasons[reason.code] ?? title, reason.values))
  return { body: lines.join('; ') || title, headers: { 'Content-Language': 'de' } }
})

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      responses: { noContent: true },
    },
  },
})
const books = Books.implement({ show: () => 'Emma', create: (_, { reply }) => reply.noContent() })

export const app = application({ controllers: [books], encodeProblem: inGerman })
// #endregion

const headers = { 'Content-Type': 'application/json' }

export const shown: Shown = {
  answers: () =>
    answers(app, [
      'GET /nowhere',
      'GET /books/seven',
      ['POST /books', { headers, body: '{"titel": 1}' }],
      ['POST /books', { headers, body: '{"title":}' }],
    ]),
}
