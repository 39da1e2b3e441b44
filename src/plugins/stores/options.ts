// Settings that stores have in common, and how a store refuses what does not fit.
import { form } from '../../extend.ts'

/** A whole number of milliseconds. */
export const timeoutForm: form.Form = form.whole(1)

/** The settings of a store; throws a TypeError that names each mistake. */
export function settingsOf<T extends object>(store: string, given: T, fields: form.Fields<T>): T {
  const { value, flaws } = form.accept<T>(given, fields)
  if (flaws.length === 0) return value
  const told = flaws.map((flaw) => `${form.sentence(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  throw new TypeError(`${store}: ${told.join('; ')}`)
}
