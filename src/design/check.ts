// Checks of declared attributes: each kind knows its own contradictions, this walk visits them all once.
import { type Attribute, type Attributes, isAttribute } from '../schema/attribute.ts'
import type { MediaType } from './media-type.ts'
import type { Report } from './mistakes.ts'
import { checkIdentifier } from './settings.ts'

/** Reports the mistakes of attributes and of everything below them; returns those that are attributes at all. */
export function checkAttributes(setting: string, attributes: Attributes, report: Report): Attributes {
  visit(setting, attributes, report, new Set())
  return Object.fromEntries(Object.entries(attributes).filter(([, one]) => isAttribute(one)))
}

/** Reports the mistakes of a media type: of its attributes and its views. */
export function checkMediaType(mediaType: MediaType, report: Report): void {
  visit(mediaType.name, mediaType.attributes, report, new Set([mediaType]))
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

function visit(setting: string, attributes: Attributes, report: Report, seen: Set<Attribute>): void {
  for (const [name, one] of Object.entries(attributes)) {
    const place = `${setting}.${name}`
    if (!isAttribute(one)) {
      report(place, 'it is not an attribute', 'declare it with t, for example t.string()')
      continue
    }
    if (seen.has(one)) continue
    seen.add(one)
    for (const mistake of one.core.mistakes()) report(place, mistake, 'correct the options of the attribute')
    visit(place, one.core.children, report, seen)
  }
}
