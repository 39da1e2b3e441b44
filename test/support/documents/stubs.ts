// Applications for their documents: controllers that only remember that they were reached.
import {
  type Application,
  type ApplicationOptions,
  application,
  type SecurityScheme,
  type Verifier,
  verifier,
} from 'edict'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import type { AnyDefinition } from '../../../src/design/definition.ts'
import type { SecurityAlternative } from '../../../src/security/types.ts'

/** An application whose actions do nothing, and those of them that were reached. */
export interface Stub {
  readonly app: Application
  readonly reached: string[]
}

/** Makes an application of some endpoints. */
export function stub(definitions: readonly AnyDefinition[], options: Partial<ApplicationOptions> = {}): Stub {
  const reached: string[] = []
  const schemes = new Set<SecurityScheme>()
  const controllers = definitions.map((definition) => {
    const actions = [...definition.resolve().actions.values()]
    for (const { policies } of actions)
      for (const need of (policies.get('security')?.settings ?? []) as readonly SecurityAlternative[])
        for (const { scheme } of need ?? []) schemes.add(scheme)
    const functions = actions.map(({ name }) => [
      name,
      () => {
        reached.push(`${definition.name}.${name}`)
        throw new Error('Nothing is behind this')
      },
    ])
    return (definition as never as { implement(of: object): never }).implement(Object.fromEntries(functions))
  })
  const verifiers = [...schemes].map((scheme): Verifier => verifier(scheme, () => 'somebody'))
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const app = application({
    title: 'Stub',
    controllers,
    verifiers,
    logger: quiet as never,
    plugins: [pagination({ maxItems: 100, defaultPageSize: 20 }), mapper()],
    ...options,
  })
  return { app, reached }
}
