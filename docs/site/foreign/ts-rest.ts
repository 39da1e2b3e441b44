// The side of ts-rest in docs/migrating/ts-rest.md: it is compiled, not run.
// #region ts-rest
import { initContract } from '@ts-rest/core'
import { z } from 'zod'

const c = initContract()

export const contract = c.router(
  {
    create: {
      method: 'POST',
      path: '/reviews',
      body: z.object({ book: z.number().int(), stars: z.number().min(1).max(5) }),
      responses: { 201: z.object({ id: z.number() }), 409: c.type<{ message: string }>() },
    },
  },
  { strictStatusCodes: true },
)
// #endregion
