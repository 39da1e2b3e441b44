// All laws, in the order in which they are tried: those that tell most about others come first.
import { conditions, idempotency } from './conditions.ts'
import { elements } from './elements.ts'
import { filters } from './filters.ts'
import { head, valid, verbs, versions } from './http.ts'
import { invalid } from './invalid.ts'
import type { Law } from './law.ts'
import { fields, orders, pages } from './lists.ts'
import { admission, clients, scopes } from './principals.ts'

/** Every law. */
export const laws: readonly Law[] = [
  ...[valid, invalid, head, verbs, versions],
  ...[conditions, idempotency, admission, clients, scopes],
  ...[pages, orders, fields, filters, elements],
]
