// All laws in the order of execution: those whose failures explain others come first.

import type { Law } from '../check/law.ts'
import { bodiesLaw } from './bodies.ts'
import { conditionsLaw, idempotencyLaw } from './conditional-requests.ts'
import { elementsLaw } from './elements/elements.ts'
import { parentsLaw } from './elements/parents.ts'
import { filesLaw } from './files.ts'
import { filtersLaw } from './filters.ts'
import { headLaw, validLaw, verbsLaw, versionsLaw } from './http.ts'
import { invalidLaw } from './invalid.ts'
import { fieldsLaw, ordersLaw } from './list-laws.ts'
import { listedLaw } from './listed-elements.ts'
import { pagesLaw } from './pages.ts'
import { admissionLaw, clientsLaw } from './principals.ts'
import { scopesLaw } from './scopes.ts'

/** All laws. */
export const laws: readonly Law[] = [
  ...[validLaw, invalidLaw, bodiesLaw, headLaw, verbsLaw, versionsLaw],
  ...[conditionsLaw, idempotencyLaw, admissionLaw, clientsLaw, scopesLaw, parentsLaw],
  ...[pagesLaw, ordersLaw, fieldsLaw, filtersLaw, listedLaw, filesLaw, elementsLaw],
]
