// Values as JSON carries them, written and read as declared. Types, and what has to be there, are checked; limits are the
// server's to judge, which promises them in its answers and tells of them in its refusals.
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { initialOf } from '../schema/default.ts'
import { INVALID } from '../schema/issue.ts'

/** The first reason why a value does not fit, and its place as a JSON Pointer. */
interface Flaw {
  pointer: string
  text: string
}

/** One value on its way in or out. */
class Passage {
  flaw: Flaw | undefined
  readonly writes: boolean
  /** Whether nothing of what is read has to be there: clients select. */
  readonly partial: boolean

  constructor(writes: boolean, partial: boolean) {
    this.writes = writes
    this.partial = partial
  }

  readonly fail = (text: string, pointer = ''): typeof INVALID => {
    this.flaw ??= { pointer, text }
    return INVALID
  }

  /** Takes a value through its attribute. */
  take(attribute: Attribute, value: unknown): unknown {
    const { core } = attribute
    if (core.target !== undefined) return this.take(core.target, value)
    const { shape } = core
    if (shape === 'list')
      return Array.isArray(value)
        ? value.map((one, i) => this.below(core.element as Attribute, one ?? null, i))
        : this.fail('must be a list')
    if (shape !== 'object' && shape !== 'record' && shape !== 'union')
      return this.writes ? core.write(value, this.fail) : core.read(value, this.fail)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('must be an object')
    if (shape === 'object') return this.#structure(core.children, this.partial ? {} : core.shown, value as never)
    if (shape === 'record')
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, this.below(core.element as Attribute, one ?? null, name)]),
      )
    const variant = core.variant(value)
    return variant === undefined
      ? this.fail(`must be of one of the variants ${Object.keys(core.children).join(', ')}`)
      : this.take(variant, value)
  }

  // Attributes that a view or a selection leaves out are neither missing nor filled in.
  #structure(declared: Attributes, certain: Attributes, source: Readonly<Record<string, unknown>>): unknown {
    const taken: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(declared)) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined
      if (value !== undefined) taken[name] = this.below(one, value, name)
      else if (!this.writes && Object.hasOwn(certain, name)) {
        const initial = initialOf(one.options)
        if (initial !== undefined) taken[name] = initial()
        else if (one.options.required === true) this.fail('is required', `/${name}`)
      }
    }
    return taken
  }

  below(attribute: Attribute, value: unknown, step: string | number): unknown {
    const before = this.flaw
    const taken = value === null ? this.#nothing(attribute) : this.take(attribute, value)
    if (this.flaw !== before && this.flaw !== undefined) this.flaw.pointer = `/${step}${this.flaw.pointer}`
    return taken
  }

  #nothing({ options }: Attribute): unknown {
    return this.writes || options.nullable === true ? null : this.fail('must not be null')
  }
}

/** A value that was taken through its declaration, or the reason why it does not fit. */
export type Taken = { readonly value: unknown; readonly flaw?: Flaw | undefined }

/** Writes a value as JSON carries it. */
export function write(attribute: Attribute, value: unknown): Taken {
  const passage = new Passage(true, false)
  return { value: passage.take(attribute, value), flaw: passage.flaw }
}

/** Reads what came as JSON; with `partial`, nothing has to be there. Names that are not declared are left out. */
export function read(attribute: Attribute, value: unknown, partial = false): Taken {
  const passage = new Passage(false, partial)
  return { value: passage.take(attribute, value), flaw: passage.flaw }
}
