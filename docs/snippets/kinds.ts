// The snippets of docs/guide/kinds.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region kind
import type { Attribute, Options } from 'edict'
import { attribute, applyOptions, form, type Kind } from 'edict/extend'

interface DurationOptions extends Options<number> {
  /** The longest duration, in seconds. */
  readonly max?: number
}

type Unit = 's' | 'm' | 'h'
const SECONDS: Readonly<Record<Unit, number>> = { s: 1, m: 60, h: 3600 }

const durationKind: Kind<readonly Unit[]> = {
  name: 'duration',
  // Values are whole seconds: lists order and filter by them, and columns of whole numbers keep them.
  scalar: 'integer',
  options: { max: form.integerFrom(1) } satisfies form.Fields<Pick<DurationOptions, 'max'>>,
  loader(units, { max = Number.POSITIVE_INFINITY }: DurationOptions) {
    const text = new RegExp(`^(\\d{1,6})([${units.join('')}])$`)
    return (value, loading) => {
      const [, count, unit] = (typeof value === 'string' && text.exec(value)) || []
      if (count === undefined) return loading.fail('type', { expected: `a number with ${units.join(' or ')}` })
      const seconds = Number(count) * SECONDS[unit as Unit]
      return seconds > max ? loading.fail('max', { limit: `${max}s` }) : seconds
    }
  },
  dumper: () => (value, dumping) =>
    Number.isSafeInteger(value) ? `${value}s` : dumping.fail('type', { expected: 'a number of seconds' }),
  jsonSchema: (units, options) => applyOptions({ type: 'string', pattern: `^[0-9]{1,6}[${units.join('')}]$` }, options),
  example: (units) => SECONDS[units[0] ?? 's'],
}

/** Declares a duration: `90s`, `15m` or `2h` in requests, seconds in controllers. */
export const duration = (units: readonly Unit[], options?: DurationOptions): Attribute<number, false> =>
  attribute<readonly Unit[], number, false>(durationKind, units, options)
// #endregion

// #region use
import { application, controller, endpoint, route } from 'edict'

const Timers = endpoint('Timers', {
  actions: {
    start: {
      routing: route.post('/'),
      params: { after: duration(['s', 'm', 'h'], { max: 7200 }) },
      responses: { ok: 'text/plain' },
    },
  },
})
const timers = controller(Timers, { start: ({ after = 0 }) => `in ${after} seconds` })
// #endregion

const app = application({ controllers: [timers] })

// #region walk
import { getConfig } from 'edict/extend'

/** The paths of all durations below an attribute, with their units. */
export function* durations(one: Attribute, path = ''): Generator<string> {
  const units = getConfig(one, durationKind)
  if (units !== undefined) yield `${path} (${units.join(', ')})`
  const { element, shape, children } = one.core
  if (element !== undefined) yield* durations(element, `${path}[]`)
  else if (shape === 'object')
    for (const [name, below] of Object.entries(children)) yield* durations(below, `${path}/${name}`)
}
// #endregion

/** The answers that the page shows. */
export const shown: Shown = {
  used: async () => answers(app, ['POST /timers?after=15m', 'POST /timers?after=3h', 'POST /timers?after=soon']),
}
