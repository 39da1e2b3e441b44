// Validates the controllers and plugins of an application; reports and omits invalid values.
import type { AnyController } from '../../design/controller.ts'
import { isEndpoint } from '../../design/declare/endpoint.ts'
import { type Report, readSettings, reportFlaws } from '../../design/mistakes.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import { accept, anything, isSettings, type SettingForm } from '../../util/setting-form.ts'
import { findNearest } from '../../util/suggest-name.ts'
import type { ApplicationOptions, Plugin } from '../application-options.ts'
import { applicationFields, isController, pluginFields } from './option-forms.ts'

/** The valid options of an application. */
export interface AcceptedOptions {
  readonly options: ApplicationOptions
  /** Names of invalid plugins: they are not reported as missing again. */
  readonly invalidPlugins: readonly string[]
}

/** Validates an application's options: returns the valid ones, and reports the others. */
export function acceptOptions(value: unknown, report: Report): AcceptedOptions {
  const settings = readSettings('', value, { ...applicationFields, ...buildPluginFields(value) }, report)
  const invalidPlugins: string[] = []
  const controllers = acceptControllers(settings.controllers, report)
  const plugins = acceptList<Plugin>('plugins', settings.plugins, report, (location, one) => {
    const fits = checkPlugin(location, one, report)
    if (!fits) invalidPlugins.push(readPluginName(one))
    return fits
  })
  const same = controllers === settings.controllers && plugins === settings.plugins
  const options = same ? settings : { ...settings, controllers: controllers ?? [], plugins }
  return { options: options as ApplicationOptions, invalidPlugins }
}

// The plugins validate their own options.
function buildPluginFields(options: unknown): Readonly<Record<string, SettingForm>> {
  const plugins = readProperty(options, 'plugins')
  const names = Array.isArray(plugins) ? Array.from(plugins, (one: unknown) => readProperty(one, 'takes')).flat() : []
  return Object.fromEntries(names.flatMap((name) => (typeof name === 'string' ? [[name, anything]] : [])))
}

/** Returns the controllers of a list; undefined if there are none at all, which is reported elsewhere. */
const acceptControllers = (value: unknown, report: Report): readonly AnyController[] | undefined =>
  acceptList<AnyController>('controllers', value, report, (location, one) => {
    if (isController(one)) return true
    const remedy = isEndpoint(one)
      ? `implement it: controller(${describeValue(one.name).replaceAll("'", '')}, { … })`
      : 'make it with controller(…) or endpoint(…).implement(…)'
    report(location, `it is ${describeValue(one)}, not a controller`, remedy)
    return false
  })

function acceptList<T>(
  location: string,
  value: unknown,
  report: Report,
  fits: (location: string, one: unknown) => boolean,
): readonly T[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) {
    report(location, `it is ${describeValue(value)}`, `give a list: ${location}: [ … ]`)
    return undefined
  }
  // `Array.from` visits the holes of a sparse array too.
  const valid = Array.from(value, (one: unknown, i) => fits(`${location}[${i}]`, one))
  return valid.every(Boolean) ? (value as readonly T[]) : (value.filter((_, i) => valid[i]) as T[])
}

function checkPlugin(location: string, one: unknown, report: Report): boolean {
  if (typeof one === 'function') {
    const call = one.name === '' ? 'give what it returns' : `call it: ${one.name}()`
    report(location, `it is ${describeValue(one)}, not a plugin`, call)
    return false
  }
  if (!isSettings(one)) {
    report(location, `it is ${describeValue(one)}, not a plugin`, 'give what a plugin function returns, such as docs()')
    return false
  }
  const { flaws } = accept(one, pluginFields, true)
  reportFlaws(location, flaws, report)
  return flaws.length === 0
}

function readPluginName(one: unknown): string {
  const name = readProperty(one, 'name')
  return typeof name === 'string' ? name : ''
}

/** Reports settings of plugins whose names nearly match registered ones. */
export function checkConfig({ config = {} }: ApplicationOptions, names: ReadonlySet<string>, report: Report): void {
  for (const name of Object.keys(config)) {
    const near = names.has(name) ? undefined : findNearest(name, [...names])
    if (near !== undefined) report(`config.${name}`, 'there is no plugin of this name', `did you mean ${near}?`)
  }
}
