// All laws, in the order in which they are tried: those that tell most about others come first.
import { bodies } from './bodies.ts'
import { conditions, idempotency } from './conditions.ts'
import { elements } from './elements/elements.ts'
import { parents } from './elements/parents.ts'
import { files } from './files.ts'
import { filters } from './filters.ts'
import { head, valid, verbs, versions } from './http.ts'
import { invalid } from './invalid.ts'
import type { Law } from './law.ts'
import { listed } from './listed.ts'
import { fields, orders } from './lists.ts'
import { pages } from './pages.ts'
import { admission, clients } from './principals.ts'
import { scopes } from './scopes.ts'

/** Every law. */
export const laws: readonly Law[] = [
  ...[valid, invalid, bodies, head, verbs, versions],
  ...[conditions, idempotency, admission, clients, scopes, parents],
  ...[pages, orders, fields, filters, listed, files, elements],
]
