// The next page of a list for clients: from the body of one page to the URL of the next.
import { keyOf } from '../pagination-params.ts'
import { fieldText, type Member, membersOf } from './envelope.ts'
import type { DeclaredList, ListForm } from './list.ts'
import { type Role, type Slot, valueAt } from './slots.ts'

/** The elements of a body; undefined for a body that has none. */
export function elementsOf({ body }: ListForm): (given: unknown) => readonly unknown[] | undefined {
  const { path } = membersOf(body).find(({ role }) => role === 'elements') as Member
  return (given) => {
    const elements = valueAt(given, path)
    return Array.isArray(elements) ? elements : undefined
  }
}

/** Makes the function that finds the URL of the next part. */
export function nextOf(list: DeclaredList, form: ListForm) {
  const { language } = list
  const members = new Map(membersOf(form.body).map(({ role, path }) => [role, path]))
  const elementsIn = elementsOf(form)
  return (body: unknown, url: string, linked: string | undefined, sent: object): string | undefined => {
    const said = (role: Member['role']): unknown => {
      const path = members.get(role)
      return path === undefined ? undefined : valueAt(body, path)
    }
    if (form.headers.link === true) return linked
    if (members.has('next')) return textOr(said('next'))
    if (members.has('nextToken')) {
      const token = textOr(said('nextToken'))
      return token && asking(url, list, { [language.slots.has('token') ? 'token' : 'after']: token })
    }
    const elements = elementsIn(body) ?? []
    if (elements.length === 0 || (members.has('more') && said('more') !== true)) return undefined
    if (language.placed) return asking(url, list, { after: keyText(list, elements.at(-1)) })
    return numberedNext({ url, sent }, list, elements.length, said('total'))
  }
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const keyText = ({ config }: DeclaredList, element: unknown): string =>
  fieldText(config.mediaType, (keyOf(config) as [string])[0], element)

interface Asked {
  readonly url: string
  /** The params in the body. */
  readonly sent: object
}

// Without a total, and where a server has pages of another size than was asked for, the list ends with an empty part.
function numberedNext({ url, sent }: Asked, list: DeclaredList, count: number, total: unknown): string | undefined {
  const { slots } = list.language
  const [offset, page] = [slots.get('offset'), slots.get('page')]
  const asked = (slot: Slot | undefined): number =>
    Number(new URL(url).searchParams.get(slot?.name ?? '') ?? valueAt(sent, slot?.path ?? []) ?? 0) || 0
  const begun = offset === undefined ? (Math.max(1, asked(page)) - 1) * count : asked(offset)
  if (typeof total === 'number' && begun + count >= total) return undefined
  if (offset !== undefined) return asking(url, list, { offset: begun + count })
  return page && asking(url, list, { page: Math.max(1, asked(page)) + 1 })
}

const PLACES: readonly Role[] = ['offset', 'page', 'after', 'before', 'token']

/** The same URL with another part. */
function asking(url: string, { language }: DeclaredList, part: { readonly [R in Role]?: string | number }): string {
  const next = new URL(url)
  for (const role of PLACES) {
    const { name } = language.slots.get(role) ?? {}
    if (name !== undefined) next.searchParams.delete(name)
    if (name !== undefined && part[role] !== undefined) next.searchParams.set(name, String(part[role]))
  }
  return next.href
}
