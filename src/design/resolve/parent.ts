// Parents: the routes of a child begin with the parent's canonical path, whose parameters become the child's.
import {
  type CaptureConstraint,
  findCapture,
  groupAlternatives,
  listCaptures,
  type PathPattern,
  renameCaptures,
} from '../../path/index.ts'
import { parsePathTemplate } from '../../path/path-template.ts'
import type { Attributes } from '../../schema/attribute.ts'
import { getOwn } from '../../schema/children.ts'
import { describeValue } from '../../util/describe-value.ts'
import { name, record } from '../../util/setting-form.ts'
import { type AnyEndpoint, hasParamMapping, isEndpoint, type ParamNames } from '../declare/endpoint.ts'
import { type Report, reportFlaws } from '../mistakes.ts'
import { findParentCircle } from './parent-circle.ts'
import type { ResolvedEndpoint } from './resolved.ts'

/** The path and params that an endpoint inherits from its parent. */
export interface Inheritance {
  readonly path: string
  readonly params: Attributes
}

/** The same with the limits of the parent's route, which also apply to the paths of its children. */
export interface LimitedInheritance extends Inheritance {
  /** The constraints of the parent's captures, by their names in the child, and the paths that the parent excludes. */
  readonly limits: {
    readonly capture: Readonly<Record<string, CaptureConstraint>>
    readonly except: string | undefined
  }
}

const PARAM_NAMES_FORM = record(name)

/** The inheritance of an endpoint without a parent. */
export const NO_INHERITANCE: LimitedInheritance = { path: '', params: {}, limits: { capture: {}, except: undefined } }

/** Resolves the path and params that a child inherits. */
export function resolveInheritance(
  child: AnyEndpoint,
  parent: AnyEndpoint['spec']['parent'],
  resolve: (endpoint: AnyEndpoint) => ResolvedEndpoint,
  report: Report,
): LimitedInheritance {
  if (parent === undefined) return NO_INHERITANCE
  const [endpoint, mapping] = hasParamMapping(parent) ? [parent.endpoint, parent.mapping] : [parent, {}]
  if (!isEndpoint(endpoint)) {
    report(
      'parent',
      `it is ${describeValue(endpoint)}, not an endpoint`,
      'name an endpoint, or childOf(endpoint, { … })',
    )
    return NO_INHERITANCE
  }
  const flaws = PARAM_NAMES_FORM.check(mapping)
  reportFlaws('parent.mapping', flaws, report)
  if (flaws.length > 0) return NO_INHERITANCE
  const circle = findParentCircle(child)
  if (circle !== undefined) {
    report(...circle)
    return NO_INHERITANCE
  }
  const resolved = resolve(endpoint)
  if (resolved.canonical === undefined) {
    report('parent', `${endpoint.name} has no canonical path`, `give ${endpoint.name} a show action or a canonicalPath`)
    return NO_INHERITANCE
  }
  const { route, params } = resolved.canonical
  const names = route.pattern.names
  for (const one of Object.keys(mapping)) {
    if (!names.includes(one)) {
      report(
        'parent',
        `the mapping names '${one}', which ${endpoint.name} does not capture`,
        `map one of: ${names.join(', ') || 'nothing'}`,
      )
    }
  }
  const limits = inheritLimits(route.pattern, mapParamNames(names, mapping, resolved.singular))
  return { ...inheritPath({ path: route.path, names, params }, mapping, resolved.singular), limits }
}

function inheritLimits({ options, names, source }: PathPattern, renamed: ParamNames): LimitedInheritance['limits'] {
  const { capture, except } = options
  // A name that occurs only in the exception must not collide with one of the child's.
  const exceptOnly = except === undefined ? [] : parsePathTemplate(except).names.filter((name) => !names.includes(name))
  const newNames = { ...Object.fromEntries(exceptOnly.map((name) => [name, `except_${name}`])), ...renamed }
  const constraints = listCaptures(`${source} ${except ?? ''}`).flatMap((name) => {
    const constraint = findCapture(capture, name)
    return constraint === undefined ? [] : [[getOwn(newNames, name) ?? name, constraint] as const]
  })
  return {
    capture: Object.fromEntries(constraints),
    except: except && groupAlternatives(renameCaptures(except, newNames)),
  }
}

// The last parameter is the resource's own id, whatever its name; a mapping takes precedence.
const mapParamNames = (names: readonly string[], mapping: ParamNames, singular: string): ParamNames => ({
  [names.at(-1) ?? '']: `${singular}_id`,
  ...mapping,
})

/** Derives the beginning of a child's routes and params from its parent's canonical path. */
export function inheritPath(
  { path, names, params }: Inheritance & { readonly names: readonly string[] },
  mapping: ParamNames,
  singular: string,
): Inheritance {
  const renamed = mapParamNames(names, mapping, singular)
  return {
    path: renameCaptures(path, renamed),
    params: Object.fromEntries(
      names.flatMap((name) => {
        const param = getOwn(params, name)
        return param === undefined ? [] : [[getOwn(renamed, name) ?? name, param]]
      }),
    ),
  }
}
