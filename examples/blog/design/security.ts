// How clients say who they are. Actions name the scheme; the application brings what verifies it.
import { security } from 'edict'

/** The token of an author. */
export const Token = security.bearer<{ readonly id: number }>('Token', {
  description: 'The token of an author: `ada-secret` is Ada, `grace-secret` is Grace.',
})
