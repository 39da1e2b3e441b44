// Checks of declared attributes: each kind knows its own contradictions, this walk visits them all once.
import { type Attribute, type Attributes, isAttribute } from '../schema/attribute.ts'
import type { MediaType } from './media-type.ts'
import type { Report } from './mistakes.ts'
import { checkIdentifier } from './settings.ts'

/** Reports the mistakes of attributes and of everything below them; returns those that are attributes at all. */
export function checkAttributes(setting: string, attributes: Attributes, report: Report): Attributes {
  visitAll(setting, attributes, report)
  const entries = Object.entries(attributes)
  return entries.every(isEntry) ? attributes : Object.fromEntries(entries.filter(isEntry))
}

const isEntry = ([, one]: [string, Attribute]): boolean => isAttribute(one)

/** Reports the mistakes of a media type: of its attributes and its views. */
export function checkMediaType(mediaType: MediaType, report: Report): void {
  visitAll(mediaType.name, mediaType.attributes, report, mediaType)
  checkForm('mediaType', mediaType, report)
}

/** Reports what no media type can be called, and views of attributes that it does not have. */
export function checkForm(setting: string, { name, attributes, views, identifier }: MediaType, report: Report): void {
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

// Structures without a mistake in them or below: actions share media types, and one look at each is enough.
const sound = new WeakSet<Attribute>()

function visitAll(setting: string, attributes: Attributes, report: Report, owner?: Attribute): void {
  const seen = new Set<Attribute>()
  if (owner !== undefined) seen.add(owner)
  let mistakes = 0
  const count: Report = (place, problem, remedy) => {
    mistakes += 1
    report(place, problem, remedy)
  }
  visit(setting, attributes, count, seen)
  if (mistakes === 0) for (const one of seen) sound.add(one)
}

function visit(setting: string, attributes: Attributes, report: Report, seen: Set<Attribute>): void {
  for (const name of Object.keys(attributes)) {
    const one: unknown = attributes[name]
    if (!isAttribute(one)) {
      report(`${setting}.${name}`, 'it is not an attribute', 'declare it with t, for example t.string()')
      continue
    }
    if (seen.has(one) || sound.has(one)) continue
    const mistakes = one.core.mistakes()
    const { children } = one.core
    // Only what has something to say, or something below, can make a difference when it is met again.
    if (mistakes.length === 0 && isEmpty(children)) continue
    seen.add(one)
    const place = `${setting}.${name}`
    for (const mistake of mistakes) report(place, mistake, 'correct the options of the attribute')
    visit(place, children, report, seen)
  }
}

function isEmpty(attributes: Attributes): boolean {
  for (const _ in attributes) return false
  return true
}
