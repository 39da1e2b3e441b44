// The security schemes of the API. Actions name a scheme; the application has its verifier.
import { security } from 'edict'

/** The token of an author. */
export const Token = security.bearer<{ readonly id: number }>('Token', {
  description: 'The token of an author: `ada-secret` is Ada, `grace-secret` is Grace.',
})
