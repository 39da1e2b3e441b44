// The public entry `edict/visibility`: attributes that only some clients see.
export { type Audience, audience, type Visible, visibleTo } from './audience.ts'
export { type Membership, members, visibility } from './plugin.ts'
