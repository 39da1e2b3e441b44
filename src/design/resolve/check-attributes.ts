// Checks declared attributes: each kind detects its own contradictions, this walk visits all of them once.

import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { isInline } from '../../schema/children.ts'
import { makeAttributeFlaw } from '../../schema/invalid-attribute.ts'
import { NO_PROTO } from '../../schema/structures/object.ts'
import type { AttributeMistake } from '../../schema/value-checks.ts'
import { describeValue } from '../../util/describe-value.ts'
import { attributeRules } from '../attribute-rules.ts'
import type { MediaType } from '../declare/media-type.ts'
import type { Report } from '../mistakes.ts'
import { checkIdentifier } from './settings.ts'

/** Reports the mistakes of attributes and of everything below them; returns only the valid attributes. */
export function checkAttributes(setting: string, attributes: Attributes, report: Report): Attributes {
  if (Object.hasOwn(attributes, '__proto__')) reportAttributeMistake(setting, NO_PROTO, report)
  return visitAttributes(setting, attributes, report)
}

function visitAttributes(setting: string, attributes: Attributes, report: Report): Attributes {
  new AttributeVisitor(report).visitAll(setting, attributes)
  for (const name in attributes) if (!isAttribute(attributes[name])) return filterAttributes(attributes)
  return attributes
}

const filterAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, one]) => isAttribute(one)))

/** Reports the mistakes of a media type, of its attributes and of its views. */
export function checkMediaType(mediaType: MediaType, report: Report): void {
  if (!validAttributes.has(mediaType))
    new AttributeVisitor(report, mediaType).visitAll(mediaType.name, mediaType.attributes)
  if (Object.hasOwn(mediaType.attributes, '__proto__')) reportAttributeMistake(mediaType.name, NO_PROTO, report)
  for (const mistake of attributeRules.findMistakes(mediaType)) reportAttributeMistake(mediaType.name, mistake, report)
  checkMediaTypeForm('mediaType', mediaType, report)
}

/** Reports the mistakes of a complete body: those of a structure under its setting, those of its attributes below. */
export function checkBody(setting: string, body: Attribute, report: Report): void {
  if (!isInline(body)) return void checkAttributes(setting, { body }, report)
  for (const mistake of attributeRules.findMistakes(body)) reportAttributeMistake(setting, mistake, report)
  visitAttributes(setting, body.core.children, report)
}

/** Reports the mistakes of one attribute and of everything below it; returns whether there are none. */
export function checkAttribute(setting: string, name: string, attribute: Attribute, report: Report): boolean {
  return validAttributes.has(attribute) || new AttributeVisitor(report).visitAll(setting, { [name]: attribute })
}

/** Reports an invalid media type identifier, and views with unknown attributes. */
export function checkMediaTypeForm(
  setting: string,
  { name, attributes, views, identifier }: MediaType,
  report: Report,
): void {
  checkIdentifier(setting, identifier, report)
  for (const [view, names] of Object.entries(views)) {
    for (const one of names) {
      if (!Object.hasOwn(attributes, one)) {
        report(
          setting,
          `the view ${name}.${view} shows '${one}', which is not an attribute`,
          `show some of: ${Object.keys(attributes).join(', ')}`,
        )
      }
    }
  }
}

// Structures without a mistake in them or below: actions share media types, and checking each once is enough.
const validAttributes = new WeakSet<Attribute>()

/** A walk over attributes that visits each of them once. */
class AttributeVisitor {
  readonly report: Report
  visited: Set<Attribute> | undefined
  mistakes = 0

  constructor(report: Report, owner?: Attribute) {
    this.report = report
    if (owner !== undefined) this.remember(owner)
  }

  visitAll(setting: string, attributes: Attributes): boolean {
    this.visit(setting, attributes)
    if (this.mistakes > 0) return false
    for (const one of this.visited ?? []) validAttributes.add(one)
    return true
  }

  private remember(one: Attribute): void {
    this.visited ??= new Set()
    this.visited.add(one)
  }

  private reportMistake(...args: Parameters<Report>): void {
    this.mistakes += 1
    this.report(...args)
  }

  private visit(setting: string, attributes: Attributes): void {
    for (const name of Object.keys(attributes)) {
      const one: unknown = attributes[name]
      if (!isAttribute(one)) {
        const { problem, remedy } = makeAttributeFlaw(one)
        this.reportMistake(`${setting}.${name}`, problem, remedy)
        continue
      }
      if (this.visited?.has(one) || validAttributes.has(one)) continue
      const { mistakes, children } = inspectAttribute(one)
      // Only attributes with mistakes or children are remembered: the others make no difference when visited again.
      if (mistakes.length === 0 && hasNoAttributes(children)) continue
      this.remember(one)
      const path = `${setting}.${name}`
      for (const mistake of mistakes)
        reportAttributeMistake(path, mistake, (setting, problem, remedy) =>
          this.reportMistake(setting, problem, remedy, one),
        )
      this.visit(path, children)
    }
  }
}

type AttributeMistakes = readonly AttributeMistake[]

const reportAttributeMistake = (setting: string, mistake: AttributeMistakes[number], report: Report): void =>
  typeof mistake === 'string'
    ? report(setting, mistake, 'correct the options of the attribute')
    : report(setting, mistake.problem, mistake.remedy)

// A reference calls a function of the user, which may throw.
function inspectAttribute({ core }: Attribute): {
  readonly mistakes: AttributeMistakes
  readonly children: Attributes
} {
  try {
    return { mistakes: attributeRules.findMistakes({ core }), children: core.children }
  } catch (error) {
    const reason = error instanceof Error ? error.message : describeValue(error)
    return { mistakes: [`looking it up fails: ${reason}`], children: {} }
  }
}

function hasNoAttributes(attributes: Attributes): boolean {
  for (const _ in attributes) return false
  return true
}
