// Locates errors of written values in the payload as it was sent: resources know neither envelopes nor requests.
import { parsePointer } from '../problem/find-attribute.ts'
import { type InputError, moveError } from '../problem/problem.ts'

/** The deepest envelope that is looked into, and the most values. */
const MAX_DEPTH = 6
const MAX_VALUES = 10_000

interface PayloadValue {
  readonly pointer: string
  readonly value: unknown
}

/**
 * Returns the errors with pointers into the payload. An error about a written value is left out where the value did not
 * come from the payload; other errors stay as they are.
 */
export function locateInPayload(errors: readonly InputError[], payload: unknown): readonly InputError[] {
  if (!errors.some(({ in: part }) => part === 'payload')) return errors
  return errors.flatMap((error) => {
    if (error.in !== 'payload' || error.pointer === '') return [error]
    const steps = parsePointer(error)
    const isWritten = error.value !== undefined
    const values = findPayloadValues(payload, steps)
    const same = isWritten ? values.filter(({ value }) => isSameValue(value, error.value)) : []
    const found = same[0] ?? pickPayloadValue(values, error.pointer)
    if (found === undefined) return isWritten ? [] : [error]
    return found.pointer === error.pointer ? [error] : [moveError(error, found.pointer)]
  })
}

function pickPayloadValue(values: readonly PayloadValue[], pointer: string): PayloadValue | undefined {
  const exact = values.find((one) => one.pointer === pointer)
  return exact ?? (values.length === 1 ? values[0] : undefined)
}

/** Returns the pointers into a payload that end with some segments, shorter ones first. */
function findPayloadValues(payload: unknown, steps: readonly string[]): readonly PayloadValue[] {
  const values: PayloadValue[] = []
  let level: readonly PayloadValue[] = [{ pointer: '', value: payload }]
  let seen = 0
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0 && seen < MAX_VALUES; depth++) {
    const below: PayloadValue[] = []
    for (const { pointer, value } of level) {
      if (typeof value !== 'object' || value === null || ++seen > MAX_VALUES) continue
      const found = followSteps(value, steps)
      if (found !== undefined) values.push({ pointer: pointer + formatSteps(steps), value: found.value })
      // An envelope of a list is an object; what is within the elements of a list is not an envelope.
      if (!Array.isArray(value))
        for (const [name, one] of Object.entries(value))
          below.push({ pointer: pointer + formatSteps([name]), value: one })
    }
    level = below
  }
  return values
}

function followSteps(root: object, steps: readonly string[]): { readonly value: unknown } | undefined {
  let value: unknown = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return { value }
}

const formatSteps = (steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function isSameValue(sent: unknown, written: unknown): boolean {
  if (sent === written) return true
  if (written instanceof Date) return typeof sent === 'string' && Date.parse(sent) === written.getTime()
  return typeof sent !== 'object' && typeof written !== 'object' && String(sent) === String(written)
}
