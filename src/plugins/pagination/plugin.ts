// The pagination plugin: settles what a request wants from its parameters and the settings, and links the pages.

import type { ApplicationOptions, ParamsCheck, Plugin, Report, ResolvedAction, ResolvedEndpoint } from '../../extend.ts'
import type { AnyController, Controller, HeaderBag } from '../../index.ts'
import { audiencesAt, fieldAt, infoOf, isOrderable, isShownField, keyOfResource } from '../lists/extend.ts'
import { codes } from './codes.ts'
import { orderingOf, paginationOf, selectorsOf } from './declared.ts'
import { checkLinked, linkHeader } from './links.ts'
import { listNotes } from './notes.ts'
import { linksOf } from './page.ts'
import { cursorFields, keyOf, type Pagination, type PaginationConfig } from './pagination-params.ts'
import { orderCheck, paginationCheck, paramSettings } from './resolution.ts'
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
export const pagination: {
  (options?: PaginationOptions): Plugin
  /** The same with options that stand below those of `pagination(…)`. */
  defaults(options: PaginationOptions): Plugin
} = Object.assign((options: PaginationOptions = {}) => plugin([{ rank: 2, options }]), {
  defaults: (options: PaginationOptions) => plugin([{ rank: 1, options }]),
})

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
    notes: (action, application) => listNotes(action, settingsIn(application)),
    contract: (action, application) => listTerms(action, settingsIn(application)),
  } satisfies Layered)
}

function checksOf(
  action: ResolvedAction,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
): ParamsCheck | undefined {
  const [paginated, ordered] = [knowing(paginationOf(action), plugins), orderingOf(action)]
  const checks = [
    ...(ordered === undefined ? [] : [orderCheck(ordered, settings, paginated === undefined)]),
    ...(paginated === undefined ? [] : [paginationCheck(paginated, ordered, settings, selectorsOf(action))]),
  ]
  if (checks.length === 0) return undefined
  return (params, loading) => {
    for (const check of checks) if (loading.issues === null) check(params, loading)
  }
}

// A resource knows its key: nobody has to repeat it.
function knowing(
  paginated: ReturnType<typeof paginationOf>,
  plugins: readonly Plugin[],
): ReturnType<typeof paginationOf> {
  if (paginated === undefined) return undefined
  const { config } = paginated
  const known = config.key === undefined ? keyOfResource(plugins, config.mediaType) : undefined
  return known === undefined ? paginated : { ...paginated, config: { ...config, known } }
}

function checkActions(
  { actions }: ResolvedEndpoint,
  settings: PaginationSettings,
  plugins: readonly Plugin[],
  report: Report,
): void {
  for (const action of actions.values()) {
    const paginated = knowing(paginationOf(action), plugins)
    if (paginated === undefined) continue
    const setting = `${action.name}.params.${paginated.name}`
    if (paginated.name !== 'pagination')
      report(setting, 'paginate and pageOf look for a param pagination', 'name it pagination')
    const { maxItems, pageSize, paging, cursor, mode } = paramSettings(paginated.config, settings)
    checkSizes(setting, maxItems, pageSize, report)
    checkKey(setting, paginated.config, report)
    if (cursor) checkShown(setting, paginated.config, plugins, report)
    if (!paging && !cursor) report(setting, 'neither pages nor cursors are allowed', 'allow one of them with disallow')
    else if ('page' in mode ? !paging : !cursor)
      report(setting, 'its default is a mode that is disallowed', 'give it another default')
    else if ('page' in mode && !isSize(mode.page))
      report(setting, `its default begins with page ${mode.page}`, 'use a whole number from 1 on')
    else if ('by' in mode && audiencesAt(paginated.config.mediaType, mode.by) !== undefined)
      report(setting, `its default goes by '${mode.by}', which some clients do not see`, 'give it another default')
    else if ('by' in mode && !cursorFields(paginated.config).includes(mode.by)) {
      report(
        setting,
        `its default goes by '${mode.by}', which is not a field to go by`,
        `use one of: ${cursorFields(paginated.config).join(', ')}`,
      )
    }
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

/** The parts of a request that are read here. */
interface Controlled {
  readonly params: unknown
  readonly action: { readonly name: string }
}

/** A controller whose paginated actions link the pages that they return. */
function linked(controller: AnyController): AnyController {
  const actions = [...controller.definition.resolve().actions.values()]
  const names = new Map(
    actions.flatMap((action) => {
      const paginated = paginationOf(action)
      return paginated === undefined ? [] : [[action.name, paginated.name]]
    }),
  )
  if (names.size === 0) return controller
  const on = { actions: [...names.keys()] }
  const asked = ({ params, action }: Controlled): [string, Pagination] => {
    const param = names.get(action.name) as string
    return [param, (params as Record<string, unknown>)[param] as Pagination]
  }
  const checked = (controller as unknown as Controller).before(on, ({ request }) => {
    const [param, pagination] = asked(request)
    checkLinked(request.url, param, pagination)
  })
  return checked.after(on, ({ request, response }) => {
    const info = infoOf(response.body)
    if (info === undefined) return
    const [param, pagination] = asked(request)
    const links = linkHeader(request.url, param, linksOf(pagination, info), pagination.link.also)
    if (response.hasHeaders) addLinks(response.headers, links)
    else response.headers = { Link: links }
    if (info.total !== undefined) response.headers['Total-Count'] = String(info.total)
  }) as unknown as AnyController
}

// The action may have links of its own, whatever the letters of the name.
function addLinks(headers: HeaderBag, links: string): void {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'link') ?? 'Link'
  headers[name] = [headers[name] ?? [], links].flat().join(', ')
}
