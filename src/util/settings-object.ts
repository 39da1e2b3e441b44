// Recognizes objects of settings. Front ends have `settings-object.browser.ts` in its place.
import { findBrand } from './describe-value.ts'

/** Returns whether an object contains settings: it is not a date, a list, or the result of a declaration function. */
export function isSettingsObject(value: object): boolean {
  try {
    return STRUCTURE_TAGS.has(Object.prototype.toString.call(value)) && findBrand(value) === undefined
  } catch {
    // A proxy may throw when it is inspected.
    return false
  }
}

const STRUCTURE_TAGS: ReadonlySet<string> = new Set(['[object Object]', '[object Module]'])
