// Resolves the values of needs before the action, and settles them before the response is sent.
import type { Needs } from '../../design/declare/need.ts'
import { isThenable } from '../../util/thenable.ts'
import type { Exchange, Step } from '../request/exchange.ts'
import { addMember } from '../request/request-context.ts'
import type { ResponseHook } from '../response/outgoing-response.ts'

/** The steps and hooks of an action's needs. */
export interface CompiledNeeds {
  readonly steps: readonly Step[]
  readonly responseHooks: readonly ResponseHook<Exchange>[]
}

/** Compiles the needs of an action. */
export function compileNeeds(needs: Needs): CompiledNeeds {
  const entries = Object.entries(needs)
  return {
    steps: entries.map(([name, { resolve }]) => ({
      name: `need: ${name}`,
      run(exchange) {
        const value = resolve(exchange.context)
        if (!isThenable(value)) return addMember(exchange.context, name, value)
        return value.then((resolved) => addMember(exchange.context, name, resolved))
      },
    })),
    // Needs are settled in the reverse order of their resolution.
    responseHooks: entries.reverse().flatMap(([name, { done }]): ResponseHook<Exchange>[] => {
      if (done === undefined) return []
      const settle = done as (value: unknown, ended: { readonly status: number }) => void | Promise<void>
      return [{ name: `need: ${name}`, run: ({ status }, exchange) => settleNeed(exchange, name, status, settle) }]
    }),
  }
}

// A request that was rejected earlier never had the value.
function settleNeed(
  { context }: Exchange,
  name: string,
  status: number,
  settle: (value: unknown, ended: { readonly status: number }) => void | Promise<void>,
): void | Promise<void> {
  if (Object.hasOwn(context, name)) return settle(Reflect.get(context, name), { status })
}
