// The plugin `idempotency`: requests claim their keys, and responses are recorded under them.
import {
  form,
  type Plugin,
  type PolicySteps,
  type Report,
  type ResolvedAction,
  readProperty,
  reportFlaws,
} from '../../extend.ts'
import type { Attribute } from '../../index.ts'
import { type Identify, identityOf, isStore, type Store } from '../stores/index.ts'
import { createClaimSteps } from './claim-steps.ts'
import { codes } from './codes.ts'
import type { IdempotencySettings } from './idempotency-settings.ts'
import type { IdempotentAction } from './idempotent-action.ts'
import { createTransactionSteps } from './transaction-steps.ts'

/** The options of `idempotency`. */
export interface IdempotencyOptions {
  /**
   * The time for which an unanswered request blocks others with its key. It must exceed the timeout of the application.
   * Not used in a transaction.
   * @default `'1m'`
   */
  readonly lease?: form.Duration
  /**
   * Returns a string that identifies a principal.
   * @default the principal if it is a string or a number, or else its `id` or `sub`
   */
  readonly identify?: Identify
  /**
   * Converts the value of the need `within` to a connection of the store.
   * @default the value itself
   */
  readonly connection?: (need: never) => unknown
}

const STORE_FORM: form.SettingForm = form.custom('a store, such as memoryStore()', isStore)
const FIELDS: form.Fields<IdempotencyOptions> = {
  lease: form.duration(1000),
  identify: form.callable,
  connection: form.callable,
}

/** Records the responses of actions that declare `idempotent`, in a store. */
export function idempotency(store: Store, options: IdempotencyOptions = {}): Plugin {
  const { value, flaws } = form.accept<IdempotencyOptions>(options, FIELDS)
  const { lease = '1m', identify = identityOf, connection = (need: never): unknown => need } = value
  return Object.freeze({
    name: 'idempotency',
    codes,
    checkOptions(report, { timeout = 30_000 }) {
      reportFlaws('idempotency', STORE_FORM.check(store), report)
      reportFlaws('idempotency', flaws, report)
      if (form.toMilliseconds(lease) > timeout && timeout !== 0) return
      const problem = `it is ${lease}, and requests may take ${timeout === 0 ? 'any time' : `${timeout} ms`}`
      report('idempotency.lease', problem, 'give a longer time, or a shorter timeout of the application')
    },
    checkPolicy: ({ settings }, action, report) =>
      checkIdempotentAction(settings as IdempotencySettings, action, store, report),
    enforce({ settings }, action, { timeout = 30_000 }): PolicySteps {
      const context: IdempotentAction = {
        ...{ store, identify, action, settings: settings as IdempotencySettings },
        // Half of the request timeout, because nothing could be sent after it.
        streamTimeout: timeout / 2,
        ...{ lease: form.toMilliseconds(lease), connection: connection as (need: unknown) => unknown },
      }
      return context.settings.within === undefined ? createClaimSteps(context) : createTransactionSteps(context)
    },
  } satisfies Plugin)
}

function checkIdempotentAction(
  { within }: IdempotencySettings,
  { needs, payload }: ResolvedAction,
  store: Store,
  report: Report,
): void {
  if (within !== undefined && !Object.hasOwn(needs, within))
    report('policies.idempotent.within', `the action has no need '${within}'`, `add it: needs: { ${within} }`)
  if (within !== undefined && isStore(store) && store.within === undefined)
    report('policies.idempotent.within', 'the store of idempotency has no transactions', 'use postgresStore(…)')
  if (payload !== undefined && hasStream(payload.attribute, new Set()))
    report('policies.idempotent', 'a file of the payload is a stream', 'declare the file without stream: true')
}

// A streamed file cannot be compared.
function hasStream(attribute: Attribute, seen: Set<Attribute>): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  if (attribute.core.shape === 'file') return readProperty(attribute.options, 'stream') === true
  return Object.values(attribute.core.children).some((one) => hasStream(one, seen))
}
