// Events as texts, in which carriers keep them: with all that is declared of them, whoever may see it.
import { attributeRules, Dumping, INVALID, Loading } from '../../extend.ts'
import type { Attribute } from '../../index.ts'

/** An event of a channel. */
export interface ChannelEvent {
  readonly event: string
  readonly data: unknown
}

/** Writes and reads the events of a channel. */
export class EventTexts {
  readonly #channel: string
  readonly #types: ReadonlyMap<string, Attribute>

  constructor(channel: string, types: Readonly<Record<string, Attribute>>) {
    this.#channel = channel
    this.#types = new Map(Object.entries(types))
  }

  /** Writes an event; throws a TypeError for one that does not fit its type. */
  write({ event, data }: ChannelEvent): string {
    const type = this.#types.get(event)
    if (type === undefined) throw new TypeError(`${this.#channel}: the event '${event}' is not declared`)
    if (data === undefined || (data === null && type.options.nullable !== true))
      throw new TypeError(`${this.#channel}: the data of '${event}' is missing`)
    const dumping = new Dumping('checked')
    const dumped = data === null ? null : attributeRules.getDumper(type)(data, dumping)
    const [issue] = dumping.issues ?? []
    if (issue !== undefined || dumped === INVALID) {
      const place = issue === undefined ? '' : ` ${issue.pointer} ${issue.message}`
      throw new TypeError(`${this.#channel}: the data of '${event}' does not fit its type:${place}`)
    }
    return JSON.stringify({ event, data: dumped })
  }

  /**
   * Reads an event; undefined for one that is not declared here, as a newer process may publish it. Data that does not
   * fit its type stays as it is: its streams report it.
   */
  async read(text: string): Promise<ChannelEvent | undefined> {
    const { event, data } = JSON.parse(text) as ChannelEvent
    const type = this.#types.get(event)
    return type && { event, data: await loadData(type, data) }
  }
}

async function loadData(type: Attribute, data: unknown): Promise<unknown> {
  if (data === null) return null
  // A newer process may know further attributes.
  const loading = new Loading('json', () => true)
  loading.isResponse = true
  const target: { data?: unknown } = {}
  const loaded = attributeRules.getLoader(type)(data, loading)
  target.data = loaded
  if (loading.deferred !== null) {
    loading.bindRoot(target, 'data')
    await loading.settle()
  }
  return loaded === INVALID || loading.issues !== null ? data : target.data
}
