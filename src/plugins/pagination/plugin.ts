// The pagination plugin: decides the page of a request from its parameters and the settings, and links the pages.

import {
  type ApplicationOptions,
  type BodyCheck,
  type ParamsCheck,
  type Plugin,
  providing,
  type Report,
  type ResolvedAction,
  type ResolvedEndpoint,
} from '../../extend.ts'
import type { AnyController, Controller, HeaderBag } from '../../index.ts'
import { audiencesAt, fieldAt, isOrderable, isShownField, keyOfResource } from '../lists/extend.ts'
import { codes } from './codes.ts'
import { type Declared, listOf, orderingOf } from './declared.ts'
import { wordSyntax } from './listing/bases.ts'
import { serving } from './listing/convention.ts'
import { type Controlled, LinkedList, sizeCheck } from './listing/linked.ts'
import type { DeclaredList, ListForm } from './listing/list.ts'
import { listParamRules } from './listing/params.ts'
import { conventionServing, paramRules } from './listing/serving.ts'
import { filterWords } from './listing/words/filter.ts'
import { listNotes } from './notes.ts'
import { type OrderingConfig, orderingKind, orderingRules } from './ordering-params.ts'
import { cursorFields, keyOf, type PaginationConfig, paginationKind, paginationRules } from './pagination-params.ts'
import { listCheck, orderCheck, paramSettings } from './resolution.ts'
import {
  checkSettings,
  checkSizes,
  isSize,
  type Layer,
  type PaginationOptions,
  type PaginationSettings,
  settingsOf,
} from './settings.ts'
import { listTerms } from './terms.ts'

/** Enables pagination and ordering; `defaults` registers options that any other registration or the config overrides. */
const provided: {
  (options?: PaginationOptions): Plugin
  /** The same with options that stand below those of `pagination(…)`. */
  defaults(options: PaginationOptions): Plugin
} = providing(
  Object.assign(pagination, { defaults: (options: PaginationOptions) => plugin([{ rank: 1, options }]) }),
  [orderingKind.rules, orderingRules],
  [paginationKind.rules, paginationRules],
  [listParamRules, paramRules],
  [serving, conventionServing],
  [wordSyntax, filterWords],
)

export { provided as pagination }

function pagination(options: PaginationOptions = {}): Plugin {
  return plugin([{ rank: 2, options }])
}

/** The plugin with its layers of options. */
interface Layered extends Plugin {
  readonly layers: readonly Layer[]
}

function plugin(layers: readonly Layer[]): Plugin {
  const settingsIn = ({ config }: ApplicationOptions): PaginationSettings => settingsOf(layers, config)
  return Object.freeze({
    name: 'pagination',
    codes,
    layers,
    merge(other) {
      const theirs = (other as Layered).layers
      const isNew = !theirs.some(({ rank }) => layers.some((one) => one.rank === rank))
      return isNew ? plugin([...layers, ...theirs]) : undefined
    },
    apply: (application) => ({ ...application, controllers: application.controllers.map(linked) }),
    checkOptions: (report, { config }) => void checkSettings(layers, config, report),
    check(endpoint, report, application) {
      // Options that are wrong by themselves are reported once, not again for each action.
      if (checkSettings(layers, application.config))
        checkActions(endpoint, settingsIn(application), application.plugins ?? [], report)
    },
    params: (action, application) => checksOf(action, settingsIn(application), application.plugins ?? []),
    body: (action, application) => sizeCheckOf(action, settingsIn(application)),
    notes: (action, application) => listNotes(action, settingsIn(application)),
    contract: (action, application) => listTerms(action, settingsIn(application)),
  } satisfies Layered)
}

function checksOf(
  action: ResolvedAction,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
): ParamsCheck | undefined {
  const list = knowing(listOf(action), plugins)
  const ordered = orderingOf(action) ?? orderOfList(list)
  const checks = [
    ...(ordered === undefined ? [] : [orderCheck(ordered, settings, list === undefined)]),
    ...(list === undefined ? [] : [listCheck(list, settings)]),
  ]
  if (checks.length === 0) return undefined
  return (params, loading) => {
    for (const check of checks) if (loading.issues === null) check(params, loading)
  }
}

function sizeCheckOf(action: ResolvedAction, settings: PaginationSettings): BodyCheck | undefined {
  const list = listOf(action)
  const { maxItems } =
    list === undefined ? { maxItems: Number.POSITIVE_INFINITY } : paramSettings(list.config, settings)
  return list === undefined || !Number.isFinite(maxItems) ? undefined : sizeCheck(list, maxItems)
}

function orderOfList(list: DeclaredList | undefined): Declared<OrderingConfig> | undefined {
  const slot = list?.language.slots.get('order') ?? list?.language.slots.get('orderWords')
  return slot && list?.order && { name: slot.path[0] as string, config: list.order }
}

// A resource knows its key, so declarations need not repeat it.
function knowing(list: DeclaredList | undefined, plugins: readonly Plugin[]): DeclaredList | undefined {
  if (list === undefined) return undefined
  const { config } = list
  const known = config.key === undefined ? keyOfResource(plugins, config.mediaType) : undefined
  return known === undefined ? list : { ...list, config: { ...config, known } }
}

function checkActions(
  { actions }: ResolvedEndpoint,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
  report: Report,
): void {
  for (const action of actions.values()) {
    const list = knowing(listOf(action), plugins)
    if (list === undefined) continue
    const { name } = list.language.slot('items')
    const setting = `${action.name}.params.${name}`
    if (list.form === undefined) checkOwn(setting, list, settings, report)
    const { maxItems, pageSize, cursor } = paramSettings(list.config, settings)
    checkSizes(setting, maxItems, pageSize, report)
    checkKey(setting, list.config, report)
    if (list.form === undefined ? cursor : list.language.placed) checkShown(setting, list.config, plugins, report)
    if (list.form !== undefined) checkNamed(setting, list.form, list.config, report)
  }
}

// Clients, and elements that are named by their keys, know no resource.
function checkNamed(
  setting: string,
  { byKey, element, name }: ListForm,
  config: PaginationConfig,
  report: Report,
): void {
  const { known } = config
  if ((!byKey && element === undefined) || known === undefined || known.join() === 'id') return
  const remedy = `name it, with key: ['${known.join("', '")}']`
  report(setting, `${name} names elements by their key, which is not 'id'`, remedy)
}

function checkOwn(
  setting: string,
  { config, language }: DeclaredList,
  settings: PaginationSettings,
  report: Report,
): void {
  if (language.slot('text').name !== 'pagination')
    report(setting, 'paginate and pageOf look for a param pagination', 'name it pagination')
  const { paging, cursor, mode } = paramSettings(config, settings)
  if (!paging && !cursor) report(setting, 'neither pages nor cursors are allowed', 'allow one of them with disallow')
  else if ('page' in mode ? !paging : !cursor)
    report(setting, 'its default is a mode that is disallowed', 'give it another default')
  else if ('page' in mode && !isSize(mode.page))
    report(setting, `its default begins with page ${mode.page}`, 'use a whole number from 1 on')
  else if ('by' in mode && audiencesAt(config.mediaType, mode.by) !== undefined)
    report(setting, `its default goes by '${mode.by}', which some clients do not see`, 'give it another default')
  else if ('by' in mode && !cursorFields(config).includes(mode.by)) {
    report(
      setting,
      `its default goes by '${mode.by}', which is not a field to go by`,
      `use one of: ${cursorFields(config).join(', ')}`,
    )
  }
}

function checkKey(setting: string, config: PaginationConfig, report: Report): void {
  const { mediaType, key, known } = config
  const id = fieldAt(mediaType, 'id')
  for (const field of keyOf(config))
    if (key === undefined && audiencesAt(mediaType, field) !== undefined)
      report(setting, `elements are told apart by '${field}', which some clients do not see`, 'name another key')
  if (key !== undefined || known !== undefined || (id !== undefined && isOrderable(id))) return
  report(setting, "there is no field 'id' to tell elements apart", `name the key of ${mediaType.name} with key`)
}

// Places in links hold the key, so that clients must be allowed to know it.
function checkShown(
  setting: string,
  { mediaType, key = [], known = ['id'] }: PaginationConfig,
  plugins: readonly Plugin[],
  report: Report,
): void {
  const ends = key.length === 0 ? known : (keyOfResource(plugins, mediaType) ?? [])
  const hidden = ends.filter((one) => !key.includes(one) && fieldAt(mediaType, one) && !isShownField(mediaType, one))
  const [field] = hidden
  if (field === undefined) return
  report(
    setting,
    `its links would show the key '${field}', which the default view of ${mediaType.name} hides`,
    `name it if clients may know it, with key: ['${hidden.join("', '")}'], or allow pages only, with disallow: 'cursor'`,
  )
}

// --- links -------------------------------------------------------------------------

/** A controller whose lists link the parts that they return. */
function linked(controller: AnyController): AnyController {
  const actions = [...controller.definition.resolve().actions.values()]
  const lists = new Map(
    actions.flatMap((action) => {
      const list = listOf(action)
      return list === undefined ? [] : [[action.name, new LinkedList(list)]]
    }),
  )
  const made = controller as unknown as Controller
  const linking = [...lists].filter(([, list]) => list.links).map(([name]) => name)
  const headed = [...lists].filter(([, list]) => list.hasHeaders).map(([name]) => name)
  const listOfRequest = ({ action }: Controlled): LinkedList => lists.get(action.name) as LinkedList
  const checked =
    linking.length === 0
      ? made
      : made.before({ actions: linking }, ({ request }) => listOfRequest(request).check(request))
  if (headed.length === 0) return checked as unknown as AnyController
  return checked.after({ actions: headed }, ({ request, response }) => {
    const added = listOfRequest(request).headers(request, response.body)
    if (added === undefined) return
    const { link, total } = added
    if (link !== undefined && response.hasHeaders) addLinks(response.headers, link)
    else if (link !== undefined) response.headers = { Link: link }
    if (total !== undefined) response.headers[total[0]] = total[1]
  }) as unknown as AnyController
}

// The action may have links of its own, whatever the letters of the name.
function addLinks(headers: HeaderBag, links: string): void {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'link') ?? 'Link'
  headers[name] = [headers[name] ?? [], links].flat().join(', ')
}
