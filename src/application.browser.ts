// Replaces `application.ts` in front ends, which serve nothing.
import type * as server from './application.ts'
import { refuseInFrontEnd } from './util/front-end.ts'

export const application: typeof server.application = refuseInFrontEnd
