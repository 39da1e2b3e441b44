// The titles and descriptions of the operations of a document. Menus list operations by their titles, so no two
// operations of a tag have the same one, unless two actions declare it.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { TableEntry } from '../routing/route-table.ts'
import { formOperationTitle } from './operation-title.ts'
import { listTemplates } from './paths.ts'

/** The texts of an operation. */
export interface OperationText {
  readonly summary: string
  readonly description?: string
}

/** Builds the texts of operations, in the order of the document. */
export class OperationTexts {
  /** The titles of each tag, those of operations to come included where actions declare them. */
  readonly #taken = new Map<string, Set<string>>()
  readonly #titled = new Set<ResolvedAction>()

  /** Keeps the declared titles of actions from being formed for others. */
  reserve(entries: readonly TableEntry[]): void {
    for (const { action } of entries) if (action.summary !== undefined) this.#take(action, action.summary)
  }

  /** Builds the texts of the operation for a verb and a path; `known` is the title of one that it is merged into. */
  build({ action, route }: TableEntry, verb: string, path: string, known?: string): OperationText {
    const { summary, description = '' } = action
    if (known !== undefined) return withDescription(known, description)
    const isFirst = !this.#titled.has(action)
    this.#titled.add(action)
    if (summary !== undefined && isFirst) return withDescription(summary, description)
    const base = summary ?? extractTitle(description) ?? formTitle(action)
    const byVerb = route.verb === 'ANY' ? ` by ${verb.toUpperCase()}` : ''
    const forms = [...(isFirst ? [base] : []), ...(byVerb === '' ? [] : [base + byVerb]), `${base}${byVerb} at ${path}`]
    const last = forms.at(-1) as string
    let title = forms.find((form) => !this.#isTaken(action, form)) ?? last
    for (let n = 2; this.#isTaken(action, title); n++) title = `${last} (${n})`
    this.#take(action, title)
    return withDescription(title, description)
  }

  #isTaken({ tags }: ResolvedAction, title: string): boolean {
    return tags.some((tag) => this.#taken.get(tag)?.has(title) === true)
  }

  #take({ tags }: ResolvedAction, title: string): void {
    for (const tag of tags) this.#taken.set(tag, (this.#taken.get(tag) ?? new Set()).add(title))
  }
}

const withDescription = (summary: string, description: string): OperationText =>
  description.trim() === '' ? { summary } : { summary, description }

function formTitle(action: ResolvedAction): string {
  const { endpoint, name } = action
  const counts = [...endpoint.actions.values()].flatMap((one) => countCaptures(one))
  // All paths of a child begin with those of its parent.
  const shared = endpoint.definition.spec.parent === undefined ? 0 : Math.min(...counts)
  return formOperationTitle({
    endpoint: endpoint.name,
    singular: endpoint.singular,
    action: name,
    isRead: action.routes.some(({ verb }) => verb === 'GET' || verb === 'HEAD'),
    capturesElement: Math.max(0, ...countCaptures(action)) > shared,
    hasList: action.responses.get('ok')?.bodies.some(({ list }) => list) === true,
  })
}

const countCaptures = ({ routes }: ResolvedAction): number[] =>
  routes.map(({ pattern }) => listTemplates(pattern)[0]?.captures.size ?? 0)

const MAX_TITLE = 80

/** Returns the first sentence of a description, if it can be a title. */
function extractTitle(description: string): string | undefined {
  const [paragraph = ''] = description.trim().split(/\n\s*\n/)
  const text = paragraph.replace(/\s+/g, ' ')
  const [sentence] = /^.+?[.!?](?=\s|$)/.exec(text) ?? [text]
  const title = sentence.replace(/\.$/, '').trim()
  const startsWithMarkup = /^(?:[#>|]|[-*+] |\d+[.)]|```|~~~|!?\[|<)/.test(title)
  return title === '' || title.length > MAX_TITLE || startsWithMarkup ? undefined : title
}
