// The controllers and plugins of an application: values that are none are reported and left out.
import type { AnyController } from '../../design/controller.ts'
import { isEndpoint } from '../../design/declare/endpoint.ts'
import { type Report, reportFlaws, readSettings } from '../../design/mistakes.ts'
import { describeValue, readProperty } from '../../util/describe-value.ts'
import { accept, anything, type SettingForm, isSettings } from '../../util/setting-form.ts'
import { findNearest } from '../../util/suggest-name.ts'
import type { ApplicationOptions, Plugin } from '../application-options.ts'
import { applicationFields, isController, pluginFields } from './option-forms.ts'

/** The options of an application that can be worked with. */
export interface AcceptedOptions {
  readonly options: ApplicationOptions
  /** Names of invalid plugins: they are not reported as missing again. */
  readonly invalidPlugins: readonly string[]
}

/** Takes what fits of an application's options, and reports what does not. */
export function acceptOptions(given: unknown, report: Report): AcceptedOptions {
  const settings = readSettings('', given, { ...applicationFields, ...buildPluginFields(given) }, report)
  const flawed: string[] = []
  const controllers = acceptControllers(settings.controllers, report)
  const plugins = acceptList<Plugin>('plugins', settings.plugins, report, (place, one) => {
    const fits = checkPlugin(place, one, report)
    if (!fits) flawed.push(readPluginName(one))
    return fits
  })
  const same = controllers === settings.controllers && plugins === settings.plugins
  const options = same ? settings : { ...settings, controllers: controllers ?? [], plugins }
  return { options: options as ApplicationOptions, invalidPlugins: flawed }
}

// Options of plugins are theirs to look at.
function buildPluginFields(given: unknown): Readonly<Record<string, SettingForm>> {
  const plugins = readProperty(given, 'plugins')
  const names = Array.isArray(plugins) ? Array.from(plugins, (one: unknown) => readProperty(one, 'takes')).flat() : []
  return Object.fromEntries(names.flatMap((name) => (typeof name === 'string' ? [[name, anything]] : [])))
}

/** The controllers of a list; undefined stands for none at all, which is reported with the rest. */
const acceptControllers = (given: unknown, report: Report): readonly AnyController[] | undefined =>
  acceptList<AnyController>('controllers', given, report, (place, one) => {
    if (isController(one)) return true
    const remedy = isEndpoint(one)
      ? `implement it: controller(${describeValue(one.name).replaceAll("'", '')}, { … })`
      : 'make it with controller(…) or endpoint(…).implement(…)'
    report(place, `it is ${describeValue(one)}, not a controller`, remedy)
    return false
  })

function acceptList<T>(
  place: string,
  given: unknown,
  report: Report,
  fits: (place: string, one: unknown) => boolean,
): readonly T[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) {
    report(place, `it is ${describeValue(given)}`, `give a list: ${place}: [ … ]`)
    return undefined
  }
  // By number: a list may have holes.
  const right = Array.from(given, (one: unknown, i) => fits(`${place}[${i}]`, one))
  return right.every(Boolean) ? (given as readonly T[]) : (given.filter((_, i) => right[i]) as T[])
}

function checkPlugin(place: string, one: unknown, report: Report): boolean {
  if (typeof one === 'function') {
    const call = one.name === '' ? 'give what it returns' : `call it: ${one.name}()`
    report(place, `it is ${describeValue(one)}, not a plugin`, call)
    return false
  }
  if (!isSettings(one)) {
    report(place, `it is ${describeValue(one)}, not a plugin`, 'give what a plugin function returns, such as docs()')
    return false
  }
  const { flaws } = accept(one, pluginFields, true)
  reportFlaws(place, flaws, report)
  return flaws.length === 0
}

function readPluginName(one: unknown): string {
  const named = readProperty(one, 'name')
  return typeof named === 'string' ? named : ''
}

/** Reports settings of plugins whose names are almost those of the registered ones. */
export function checkConfig({ config = {} }: ApplicationOptions, names: ReadonlySet<string>, report: Report): void {
  for (const name of Object.keys(config)) {
    const near = names.has(name) ? undefined : findNearest(name, [...names])
    if (near !== undefined) report(`config.${name}`, 'there is no plugin of this name', `did you mean ${near}?`)
  }
}
