// The snippets of docs/guide/lambda.md.
import type { Shown } from '../../scripts/snippets.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { lambdaHandler } from 'edict/lambda'

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: t.object({ id: t.integer() }) } },
  },
})
const app = application({ controllers: [Books.implement({ show: ({ id }, { reply }) => reply.ok({ id }) })] })

export const handler = lambdaHandler(app)
// #endregion

const result = await handler(
  {
    version: '2.0',
    rawPath: '/books/7',
    rawQueryString: '',
    headers: { host: 'a.lambda-url.eu-central-1.on.aws' },
    isBase64Encoded: false,
    requestContext: { http: { method: 'GET', path: '/books/7', sourceIp: '203.0.113.7' } },
  },
  { getRemainingTimeInMillis: () => 3000 },
)

Reflect.set(globalThis, 'awslambda', { streamifyResponse: () => async () => {}, HttpResponseStream: {} })

// #region stream
import { lambdaStreamHandler } from 'edict/lambda'

export const streaming = lambdaStreamHandler(app, { margin: 1000 })
// #endregion

Reflect.deleteProperty(globalThis, 'awslambda')

/** The answers that the page shows. */
export const shown: Shown = { result: async () => JSON.stringify(result, null, 2) }
