// The snippets of docs/guide/configuration.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, thrown } from './support/http.ts'

// #region example
import { application, endpoint, route } from 'edict'
import { z } from 'zod'

const Settings = z.object({
  DATABASE_URL: z.url().default('file:library.db'),
  LOAN_DAYS: z.coerce.number().int().min(1).default(21),
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
})

const Loans = endpoint('Loans', {
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

/** Makes the API from the settings of one process; tests make as many as they like. */
export function createApi(variables: Readonly<Record<string, string | undefined>>) {
  const { LOAN_DAYS, NODE_ENV } = Settings.parse(variables)
  const loans = Loans.implement({ show: () => `A loan lasts ${LOAN_DAYS} days` })
  return application({ title: 'Library', controllers: [loans], environment: NODE_ENV, timeout: 10_000 })
}
// #endregion

/** The application of this page. */
export const app = createApi({})

/** The responses that the page shows. */
export const shown: Shown = {
  example: async () => {
    const own = await answers(createApi({ LOAN_DAYS: '28' }), ['GET /loans'])
    const refused = /"message": "(.+)"/.exec(thrown(() => createApi({ LOAN_DAYS: 'many' })))?.[1]
    return `LOAN_DAYS=28    ${own}\nLOAN_DAYS=many  it does not start: ${refused}`
  },
}
