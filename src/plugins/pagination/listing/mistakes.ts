// Mistakes in the description of a convention, and in a list that is declared with it, reported at boot.
import { audiencesAt, fieldAt, isOrderable, isShownField } from '../../lists/extend.ts'
import { fieldMistakes } from '../ordering-params.ts'
import { keyOf } from '../pagination-params.ts'
import type { ConventionDescription } from './description.ts'
import { isFact, membersOf } from './envelope.ts'
import type { DeclaredList, ListForm } from './list.ts'

/** The mistakes in a list and its convention, each a sentence. */
export function mistakesOf(description: ConventionDescription, list: DeclaredList): readonly string[] {
  return [...bodyMistakes(description, list.form as ListForm), ...paramMistakes(list), ...fieldsMistakes(list)]
}

function bodyMistakes({ name }: ConventionDescription, { body }: ListForm): string[] {
  const members = membersOf(body)
  const elements = members.filter(({ role }) => role === 'elements').length
  const unknown = members.filter(({ role }) => role !== 'elements' && !isFact(role))
  return [
    ...(elements === 1 ? [] : [`the body of ${name} has its elements ${elements} times: name one member 'elements'`]),
    ...unknown.map(
      ({ role, path }) => `the body of ${name} has '${role}' as ${path.join('.')}, which is no fact of a list`,
    ),
  ]
}

function paramMistakes({ language, form, config }: DeclaredList): string[] {
  const { slots, placed } = language
  const { name, byKey, body } = form as ListForm
  const numbered = slots.has('offset') || slots.has('page')
  const tokens = membersOf(body).some(({ role }) => role === 'nextToken' || role === 'prevToken')
  return [
    ...(placed || numbered ? [] : [`${name} has no param for the part of a list: name an offset, a page or a place`]),
    ...(byKey && keyOf(config).length > 1 ? [`${name} names an element by one value, and its key has several`] : []),
    ...(tokens && !placed ? [`the body of ${name} gives out tokens, and no param takes one`] : []),
    ...[...slots.values()].flatMap(({ path, role }) =>
      path.length > 1 && (role.startsWith('filter') || role.startsWith('order'))
        ? [`${name} has '${role}' within a structure: give it a param of its own`]
        : [],
    ),
  ]
}

function fieldsMistakes({ config, order, language, form }: DeclaredList): string[] {
  const { mediaType, key = [] } = config
  const showsPlaces = language.placed && form?.byKey !== true
  const initial = (order?.default ?? []).map((term) => term.replace(/^-/, ''))
  const fields = [...initial, ...key]
  return [
    ...(order?.byFields === undefined ? [] : fieldMistakes(mediaType, order.byFields)),
    ...fields.flatMap((field) => {
      const found = fieldAt(mediaType, field)
      if (found === undefined || !isOrderable(found)) return [`the list goes by '${field}', which has no order`]
      return audiencesAt(mediaType, field) ? [`the list goes by '${field}', which some clients do not see`] : []
    }),
    ...initial
      .filter((field) => showsPlaces && fieldAt(mediaType, field) !== undefined && !isShownField(mediaType, field))
      .filter((field) => order?.byFields?.includes(field) !== true && !key.includes(field))
      .map(
        (field) =>
          `the list goes by '${field}', which the default view of ${mediaType.name} hides, and its places would show: name it in orderBy if clients may know it`,
      ),
  ]
}
