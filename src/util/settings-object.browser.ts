// Replaces `settings-object.ts` in front ends: their server has checked the declarations.
import type * as server from './settings-object.ts'

export const isSettingsObject: typeof server.isSettingsObject = () => true
