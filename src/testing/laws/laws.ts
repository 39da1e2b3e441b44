// All laws in the order of execution: those whose failures explain others come first.

import type { Law } from '../check/law.ts'
import { bodiesLaw } from './bodies.ts'
import { conditionsLaw, idempotencyLaw } from './conditional-requests.ts'
import { credentialsLaw } from './credentials/forged.ts'
import { loginLaw } from './credentials/login.ts'
import { admissionLaw, clientsLaw } from './credentials/principals.ts'
import { elementsLaw } from './elements/elements.ts'
import { parentsLaw } from './elements/parents.ts'
import { filesLaw } from './files.ts'
import { filtersLaw } from './filters.ts'
import { headLaw, validLaw, verbsLaw, versionsLaw } from './http.ts'
import { invalidLaw } from './invalid.ts'
import { fieldsLaw, ordersLaw } from './list-laws.ts'
import { listedLaw } from './listed-elements.ts'
import { ownersLaw } from './owners.ts'
import { pagesLaw } from './pages.ts'
import { scopesLaw } from './scopes.ts'
import { statementsLaw } from './statements.ts'
import { viewersLaw } from './viewers.ts'

/** All laws. */
export const laws: readonly Law[] = [
  ...[validLaw, invalidLaw, bodiesLaw, headLaw, verbsLaw, versionsLaw],
  ...[conditionsLaw, idempotencyLaw, admissionLaw, credentialsLaw, loginLaw, clientsLaw, viewersLaw, scopesLaw],
  ...[ownersLaw, parentsLaw],
  ...[pagesLaw, ordersLaw, fieldsLaw, filtersLaw, listedLaw, filesLaw, elementsLaw, statementsLaw],
]
