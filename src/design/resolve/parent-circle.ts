// Finds endpoints whose parents lead back to them: their paths would never end.
import { type AnyEndpoint, getParentEndpoint, isEndpoint } from '../declare/endpoint.ts'
import { refuseMistakes } from '../mistakes.ts'

/** Returns the mistake of an endpoint that has one of its ancestors twice; undefined if they end. */
export function findParentCircle(
  child: AnyEndpoint,
): readonly [setting: string, problem: string, remedy: string] | undefined {
  const chain: AnyEndpoint[] = []
  let next: AnyEndpoint | undefined = child
  while (next !== undefined) {
    const isRepeated: boolean = chain.includes(next)
    chain.push(next)
    if (isRepeated) {
      const names = chain.map(({ name }) => name).join(' › ')
      return ['parent', `the parents are a circle: ${names}`, 'take the parent of one of them away']
    }
    const parent: AnyEndpoint['spec']['parent'] = next.spec?.parent
    const candidate: AnyEndpoint | undefined = parent && getParentEndpoint(parent)
    next = isEndpoint(candidate) ? candidate : undefined
  }
  return undefined
}

/** Throws the mistake that an application would report, for code that has only the declarations. */
export function refuseParentCircle(child: AnyEndpoint): void {
  const circle = findParentCircle(child)
  if (circle === undefined) return
  const [setting, problem, remedy] = circle
  refuseMistakes([{ endpoint: child.name, setting, problem, remedy }], { name: child.name, definition: child })
}
