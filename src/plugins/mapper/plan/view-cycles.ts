// View cycles: views that contain themselves, such as an element with its parent in the same view.
import {
  attributeRules,
  getDeclaredMediaType,
  getMediaType,
  isMediaType,
  isView,
  type Report,
  type ResolvedAction,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType } from '../../../index.ts'
import type { Model, ModelNodes } from '../model/model.ts'

/** Reports responses of lists, and selectable fields, that contain themselves and so cannot be read. */
export function checkViewCycles(action: ResolvedAction, models: readonly Model[], report: Report): void {
  const params = Object.entries(action.params)
  // Without a list param, the controller may not read the resource.
  const listed = models.filter(({ mediaType }) => params.some(([, param]) => isParamFor(param, mediaType)))
  for (const { name, bodies } of action.responses.values())
    for (const { attribute } of bodies)
      for (const shown of attribute === undefined ? [] : iterateViews(attribute, new Set())) {
        const path = findViewCycle(shown, shown.core.shown, listed, [shown])
        if (path !== undefined) return reportCycle(`${action.name}.responses.${name}`, path, shown, report)
      }
  for (const [name, { core }] of params) {
    if (core.selectsFrom === undefined) continue
    // A field that a client selects without nested fields is shown in its declared view.
    const path = findViewCycle(core.selectsFrom, getMediaType(core.selectsFrom as MediaType).attributes, listed, [])
    if (path !== undefined) reportCycle(`${action.name}.params.${name}`, path, core.selectsFrom, report)
  }
}

const isParamFor = (param: Attribute, mediaType: MediaType): boolean => {
  const { selectsFrom } = param.core
  if (attributeRules.getFieldsUse(param)?.of === mediaType) return true
  return selectsFrom !== undefined && findOrigin(selectsFrom) === mediaType
}

function reportCycle(setting: string, path: readonly string[], shown: Attribute, report: Report): void {
  const { name } = getMediaType(shown as MediaType)
  const problem = `${name} shows '${path.join('.')}' without end, each with its own`
  report(setting, problem, `declare '${path.at(-1)}' with a view that leaves it out: ${name}.view(…)`)
}

const findOrigin = (shown: Attribute): MediaType | undefined =>
  isMediaType(shown) || isView(shown) ? getDeclaredMediaType(getMediaType(shown)) : undefined

function findViewCycle(
  shown: Attribute,
  attributes: Attributes,
  models: readonly Model[],
  around: readonly Attribute[],
): readonly string[] | undefined {
  const model = models.find(({ mediaType }) => mediaType === findOrigin(shown))
  return model && findCycle(attributes, model.nodes, around)
}

/** Iterates the outermost media types and views in a body. */
function* iterateViews(attribute: Attribute, seen: Set<Attribute>): Generator<Attribute> {
  const resolved = resolveReference(attribute)
  if (seen.has(resolved)) return
  seen.add(resolved)
  const { element, shown } = resolved.core
  if (isMediaType(resolved) || isView(resolved)) yield resolved
  for (const below of element === undefined ? Object.values(shown) : [element]) yield* iterateViews(below, seen)
}

function resolveReference(attribute: Attribute): Attribute {
  let target = attribute
  while (target.core.target !== undefined) target = target.core.target
  return target
}

/** Returns the path from an element to one in the same view; undefined if there is none. */
function findCycle(
  attributes: Attributes,
  nodes: ModelNodes,
  around: readonly Attribute[],
): readonly string[] | undefined {
  for (const [name, attribute] of Object.entries(attributes)) {
    const node = nodes.get(name)
    const below =
      node?.type === 'struct'
        ? findCycle(attribute.core.shown, node.nodes, around)
        : node?.type === 'one' && findCycleBelow(attribute, node.target().nodes, around)
    if (below) return [name, ...below]
  }
  return undefined
}

function findCycleBelow(
  attribute: Attribute,
  nodes: ModelNodes,
  around: readonly Attribute[],
): readonly string[] | undefined {
  const resolved = resolveReference(attribute)
  return around.includes(resolved) ? [] : findCycle(resolved.core.shown, nodes, [...around, resolved])
}
