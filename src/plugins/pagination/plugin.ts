// The pagination plugin: determines the page of a request from its params and the settings, and links the pages.

import type {
  ApplicationOptions,
  BodyCheck,
  ParamsCheck,
  Plugin,
  Report,
  ResolvedAction,
  ResolvedEndpoint,
} from '../../extend.ts'
import type { AnyController, Controller, HeaderBag } from '../../index.ts'
import { findAudiences, findField, findResourceKey, isOrderable, isShownField } from '../mapper/extend.ts'
import { type DeclaredParam, findElement, findList, findOrdering } from './action-list.ts'
import { codes } from './codes.ts'
import { buildListNotes } from './list-notes.ts'
import { buildListTerms } from './list-terms.ts'
import type { DeclaredList, ListConvention } from './listing/declared-list.ts'
import { createSizeCheck, type LinkedRequest, ListLinker } from './listing/list-linker.ts'
import type { OrderingConfig } from './ordering-config.ts'
import { getKeyFields, type PaginationConfig } from './pagination-config.ts'
import { listCursorFields } from './pagination-rules.ts'
import {
  checkSettings,
  checkSizes,
  isPositiveInteger,
  type OptionsLayer,
  type PaginationOptions,
  type PaginationSettings,
  resolveSettings,
} from './pagination-settings.ts'
import {
  createElementCheck,
  createOrderCheck,
  createPaginationCheck,
  resolveParamSettings,
} from './resolve-pagination.ts'

/** Enables pagination and ordering; `defaults` registers options that any other registration or the config overrides. */
export const pagination: {
  (options?: PaginationOptions): Plugin
  /** Registers options that those of `pagination(…)` override. */
  defaults(options: PaginationOptions): Plugin
} = Object.assign(
  // Errors about a plugin that was not called show its name.
  function pagination(options: PaginationOptions = {}): Plugin {
    return createPlugin([{ rank: 2, options }])
  },
  { defaults: (options: PaginationOptions) => createPlugin([{ rank: 1, options }]) },
)

/** The plugin with its layers of options. */
interface LayeredPlugin extends Plugin {
  readonly layers: readonly OptionsLayer[]
}

function createPlugin(layers: readonly OptionsLayer[]): Plugin {
  const getSettings = ({ config }: ApplicationOptions): PaginationSettings => resolveSettings(layers, config)
  return Object.freeze({
    name: 'pagination',
    codes,
    layers,
    merge(other) {
      const otherLayers = (other as LayeredPlugin).layers
      const isNew = !otherLayers.some(({ rank }) => layers.some((one) => one.rank === rank))
      return isNew ? createPlugin([...layers, ...otherLayers]) : undefined
    },
    apply: (application) => ({ ...application, controllers: application.controllers.map(linkLists) }),
    checkOptions: (report, { config }) => void checkSettings(layers, config, report),
    check(endpoint, report, application) {
      // Invalid options are reported once, not for each action.
      if (checkSettings(layers, application.config))
        checkActions(endpoint, getSettings(application), application.plugins ?? [], report)
    },
    checkParams: (action, application) =>
      createParamsCheck(action, getSettings(application), application.plugins ?? []),
    checkBody: (action, application) => createBodySizeCheck(action, getSettings(application)),
    paramNotes: (action, application) => buildListNotes(action, getSettings(application)),
    contract: (action, application) => buildListTerms(action, getSettings(application)),
  } satisfies LayeredPlugin)
}

function createParamsCheck(
  action: ResolvedAction,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
): ParamsCheck | undefined {
  const element = findElement(action)
  if (element !== undefined) return createElementCheck(element)
  const list = withResourceKey(findList(action), plugins)
  const ordered = findOrdering(action) ?? findListOrdering(list)
  const checkOrder = ordered && createOrderCheck(ordered, settings, list === undefined ? 'alone' : 'paginated')
  const checkPage = list && createPaginationCheck(list, settings)
  if (checkOrder === undefined && checkPage === undefined) return undefined
  return (params, loading) => {
    if (loading.issues === null) checkOrder?.(params, loading)
    return loading.issues === null ? checkPage?.(params, loading) : undefined
  }
}

function createBodySizeCheck(action: ResolvedAction, settings: PaginationSettings): BodyCheck | undefined {
  const list = findList(action)
  const { maxItems } =
    list === undefined ? { maxItems: Number.POSITIVE_INFINITY } : resolveParamSettings(list.config, settings)
  return list === undefined || !Number.isFinite(maxItems) ? undefined : createSizeCheck(list, maxItems)
}

function findListOrdering(list: DeclaredList | undefined): DeclaredParam<OrderingConfig> | undefined {
  const slot = list?.layout.orderSlot
  // The values of a param with one field are checked by its type.
  if (slot === undefined || slot.role === 'orderField') return undefined
  return list?.order && { name: slot.path[0] as string, config: list.order }
}

// A resource has a key, so declarations need not repeat it.
function withResourceKey(list: DeclaredList | undefined, plugins: readonly Plugin[]): DeclaredList | undefined {
  if (list === undefined) return undefined
  const { config } = list
  const resourceKey = config.key === undefined ? findResourceKey(plugins, config.mediaType) : undefined
  return resourceKey === undefined ? list : { ...list, config: { ...config, resourceKey } }
}

function checkActions(
  { actions }: ResolvedEndpoint,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
  report: Report,
): void {
  for (const action of actions.values()) {
    const list = withResourceKey(findList(action), plugins)
    if (list === undefined) continue
    const { name } = list.layout.findSlot('items')
    const setting = `${action.name}.params.${name}`
    const isText = list.layout.slots.has('text')
    if (isText) checkPaginationParam(setting, list, settings, report)
    const { maxItems, pageSize, allowsCursors } = resolveParamSettings(list.config, settings)
    checkSizes(setting, maxItems, pageSize, report)
    checkKey(setting, list.config, report)
    if (isText ? allowsCursors : list.layout.usesCursors) checkKeyVisibility(setting, list.config, plugins, report)
    checkElementKey(setting, list.convention, list.config, report)
    checkBaseUrl(setting, list.convention, settings, report)
  }
}

// The host and the scheme of a request are what its client claims, so links to them could lead anywhere.
function checkBaseUrl(
  setting: string,
  { name, links }: ListConvention,
  { baseUrl }: PaginationSettings,
  report: Report,
): void {
  if (links !== 'absolute' || baseUrl !== '') return
  const remedy = "name the public URL of the server, with pagination({ baseUrl: 'https://api.example.com' })"
  report(setting, `${name} has absolute links, and no base URL is set`, remedy)
}

// Clients and elements that use keys as identifiers do not know the key of the resource.
function checkElementKey(
  setting: string,
  { byKey, element, name }: ListConvention,
  config: PaginationConfig,
  report: Report,
): void {
  const { resourceKey } = config
  if ((!byKey && element === undefined) || resourceKey === undefined || resourceKey.join() === 'id') return
  const remedy = `name it, with key: ['${resourceKey.join("', '")}']`
  report(setting, `${name} names elements by their key, which is not 'id'`, remedy)
}

function checkPaginationParam(
  setting: string,
  { config, layout }: DeclaredList,
  settings: PaginationSettings,
  report: Report,
): void {
  if (layout.findSlot('text').name !== 'pagination')
    report(setting, 'paginate and pageOf look for a param pagination', 'name it pagination')
  const { allowsPages: paging, allowsCursors: cursor, mode } = resolveParamSettings(config, settings)
  if (!paging && !cursor) report(setting, 'neither pages nor cursors are allowed', 'allow one of them with disallow')
  else if ('page' in mode ? !paging : !cursor)
    report(setting, 'its default is a mode that is disallowed', 'give it another default')
  else if ('page' in mode && !isPositiveInteger(mode.page))
    report(setting, `its default begins with page ${mode.page}`, 'use a whole number from 1 on')
  else if ('by' in mode && findAudiences(config.mediaType, mode.by) !== undefined)
    report(setting, `its default goes by '${mode.by}', which some clients do not see`, 'give it another default')
  else if ('by' in mode && !listCursorFields(config).includes(mode.by)) {
    report(
      setting,
      `its default goes by '${mode.by}', which is not a field to go by`,
      `use one of: ${listCursorFields(config).join(', ')}`,
    )
  }
}

function checkKey(setting: string, config: PaginationConfig, report: Report): void {
  const { mediaType, key, resourceKey } = config
  const id = findField(mediaType, 'id')
  for (const field of getKeyFields(config))
    if (key === undefined && findAudiences(mediaType, field) !== undefined)
      report(setting, `elements are identified by '${field}', which some clients do not see`, 'name another key')
  if (key !== undefined || resourceKey !== undefined || (id !== undefined && isOrderable(id))) return
  report(setting, "there is no field 'id' to identify elements", `name the key of ${mediaType.name} with key`)
}

// Cursors in links contain the key, so clients must be allowed to see it.
function checkKeyVisibility(
  setting: string,
  { mediaType, key = [], resourceKey = ['id'] }: PaginationConfig,
  plugins: readonly Plugin[],
  report: Report,
): void {
  const ends = key.length === 0 ? resourceKey : (findResourceKey(plugins, mediaType) ?? [])
  const hidden = ends.filter((one) => !key.includes(one) && findField(mediaType, one) && !isShownField(mediaType, one))
  const [field] = hidden
  if (field === undefined) return
  report(
    setting,
    `its links would show the key '${field}', which the default view of ${mediaType.name} hides`,
    `name it if clients may know it, with key: ['${hidden.join("', '")}'], or allow pages only, with disallow: 'cursor'`,
  )
}

// --- links -------------------------------------------------------------------------

/** Adds links between the pages to the lists of a controller. */
function linkLists(controller: AnyController): AnyController {
  const actions = [...controller.definition.resolve().actions.values()]
  const linkers = new Map(
    actions.flatMap((action) => {
      const list = findList(action)
      return list === undefined ? [] : [[action.name, new ListLinker(list)]]
    }),
  )
  const target = controller as unknown as Controller
  const linkedActions = [...linkers].filter(([, list]) => list.hasLinks).map(([name]) => name)
  const headerActions = [...linkers].filter(([, list]) => list.hasHeaders).map(([name]) => name)
  const getLinker = ({ action }: LinkedRequest): ListLinker => linkers.get(action.name) as ListLinker
  const checked =
    linkedActions.length === 0
      ? target
      : target.before({ actions: linkedActions }, ({ request }) => getLinker(request).checkUrl(request))
  if (headerActions.length === 0) return checked as unknown as AnyController
  return checked.after({ actions: headerActions }, ({ request, response }) => {
    const headers = getLinker(request).buildHeaders(request, response.body)
    if (headers === undefined) return
    const { link, total } = headers
    if (link !== undefined && response.hasHeaders) addLinks(response.headers, link)
    else if (link !== undefined) response.headers = { Link: link }
    if (total !== undefined) response.headers[total[0]] = total[1]
  }) as unknown as AnyController
}

// The action may have set a Link header, in any case of letters.
function addLinks(headers: HeaderBag, links: string): void {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'link') ?? 'Link'
  headers[name] = [headers[name] ?? [], links].flat()
}
