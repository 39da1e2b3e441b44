// The events of a mock: examples of each declared event in turn, with ids that grow, behind the last one of a client.
import type { Attribute } from '../schema/attribute.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { createValue } from './example-values.ts'

/** Milliseconds between two events; the first of each name come at once. */
const PAUSE = 1000

const END: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** A stream of example events that does not end by itself. */
export class MockEvents implements AsyncIterableIterator<object> {
  readonly #variants: readonly (readonly [name: string, data: Attribute])[]
  readonly #seed: ExampleSeed
  readonly #first: number
  #count: number
  #isEnded = false
  #stop = (): void => {}

  constructor(events: Attribute, seed: ExampleSeed, lastEventId: unknown) {
    this.#variants = Object.entries(events.core.children).map(([name, { core }]) => [
      name,
      core.children['data'] as Attribute,
    ])
    this.#seed = seed
    this.#first = /^\d{1,15}$/.test(String(lastEventId)) ? Number(lastEventId) : 0
    this.#count = this.#first
  }

  async next(): Promise<IteratorResult<object>> {
    if (this.#count >= this.#first + this.#variants.length) await this.#pause()
    if (this.#isEnded) return END
    const [event, data] = this.#variants[this.#count % this.#variants.length] as readonly [string, Attribute]
    this.#count++
    const id = String(this.#count)
    return { done: false, value: { event, id, data: createValue(data, this.#seed.at(event).at(id)) } }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE)
      this.#stop = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isEnded = true
    this.#stop()
    return END
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
