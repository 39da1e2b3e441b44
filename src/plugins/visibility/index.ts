// The public entry `edict/visibility`: attributes that some clients see only.
export { type Audience, audience, type Visible, visibleTo } from './audience.ts'
export { type Membership, members, visibility } from './plugin.ts'
