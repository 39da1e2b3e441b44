// The pagination plugin: settles what a request wants from its parameters and the settings, and links the pages.

import type { ApplicationOptions, ParamsCheck, Report, ResolvedAction, ResolvedEndpoint } from '../../extend.ts'
import type { AnyController, Controller, HeaderBag } from '../../index.ts'
import { fieldAt, isOrderable, isShownField, keyOfResource, type Page } from '../lists/extend.ts'
import { orderingOf, paginationOf, selectorsOf } from './declared.ts'
import { checkLinked, linkHeader } from './links.ts'
import { listNotes } from './notes.ts'
import { linksOf } from './page.ts'
import { cursorFields, type Pagination, type PaginationConfig } from './pagination-params.ts'
import { orderCheck, paginationCheck, paramSettings } from './resolution.ts'
import {
  checkSettings,
  checkSizes,
  isSize,
  type PaginationOptions,
  type PaginationPlugin,
  settingsOf,
} from './settings.ts'
import { listTerms } from './terms.ts'

/** Enables pagination and ordering; `defaults` registers options that any other registration or the config overrides. */
export const pagination: {
  (options?: PaginationOptions): PaginationPlugin
  /** The same with options that stand below those of `pagination(…)`. */
  defaults(options: PaginationOptions): PaginationPlugin
} = Object.assign((options: PaginationOptions = {}) => plugin('pagination', 2, options), {
  defaults: (options: PaginationOptions) => plugin('pagination.defaults', 1, options),
})

function plugin(name: string, rank: number, options: PaginationOptions): PaginationPlugin {
  // Both forms may be registered together; only one of them then does the work.
  const leads = (application: ApplicationOptions): boolean =>
    application.plugins?.find((one) => 'layer' in one)?.name === name
  return Object.freeze({
    name,
    provides: ['pagination'],
    layer: { rank, options },
    apply: (application) =>
      leads(application) ? { ...application, controllers: application.controllers.map(linked) } : application,
    checkOptions: (report, application) => void (leads(application) && checkSettings(application, report)),
    check: (endpoint, report, application) =>
      leads(application) ? checkActions(endpoint, report, application) : undefined,
    params: (action, application) => (leads(application) ? checksOf(action, application) : undefined),
    notes: (action, application) => (leads(application) ? listNotes(action, settingsOf(application)) : {}),
    contract: (action, application) => listTerms(action, settingsOf(application)),
  } satisfies PaginationPlugin)
}

function checksOf(action: ResolvedAction, options: ApplicationOptions): ParamsCheck | undefined {
  const settings = settingsOf(options)
  const [paginated, ordered] = [knowing(paginationOf(action), options), orderingOf(action)]
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
  { plugins }: ApplicationOptions,
): ReturnType<typeof paginationOf> {
  if (paginated === undefined) return undefined
  const { config } = paginated
  const known = config.key === undefined ? keyOfResource(plugins, config.mediaType) : undefined
  return known === undefined ? paginated : { ...paginated, config: { ...config, known } }
}

function checkActions({ actions }: ResolvedEndpoint, report: Report, options: ApplicationOptions): void {
  // Options that are wrong by themselves are reported once, not again for each action.
  if (!checkSettings(options)) return
  const settings = settingsOf(options)
  for (const action of actions.values()) {
    const paginated = knowing(paginationOf(action), options)
    if (paginated === undefined) continue
    const setting = `${action.name}.params.${paginated.name}`
    if (paginated.name !== 'pagination')
      report(setting, 'paginate and pageOf look for a param pagination', 'name it pagination')
    const { maxItems, pageSize, paging, cursor, mode } = paramSettings(paginated.config, settings)
    checkSizes(setting, maxItems, pageSize, report)
    checkKey(setting, paginated.config, report)
    if (cursor) checkShown(setting, paginated.config, options, report)
    if (!paging && !cursor) report(setting, 'neither pages nor cursors are allowed', 'allow one of them with disallow')
    else if ('page' in mode ? !paging : !cursor)
      report(setting, 'its default is a mode that is disallowed', 'give it another default')
    else if ('page' in mode && !isSize(mode.page))
      report(setting, `its default begins with page ${mode.page}`, 'use a whole number from 1 on')
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
  if (key !== undefined || known !== undefined || (id !== undefined && isOrderable(id))) return
  report(setting, "there is no field 'id' to tell elements apart", `name the key of ${mediaType.name} with key`)
}

// Places in links hold the key, so that clients must be allowed to know it.
function checkShown(
  setting: string,
  { mediaType, key = [], known = ['id'] }: PaginationConfig,
  { plugins }: ApplicationOptions,
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
    const info = (response.body as Partial<Page<unknown>> | null | undefined)?.['~page']
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
