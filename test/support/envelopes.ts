// Envelopes of any names, depth and siblings, for tests that hold what is inside to what holds without one.
import { type Attribute, t } from 'edict'
import fc from 'fast-check'

/** An envelope around a body. */
export interface Envelope {
  /** The names of the members that lead inside. */
  readonly path: readonly string[]
  /** Declares the envelope around an attribute. */
  wrap(inside: Attribute): Attribute
  /** Puts a value into it, with values beside it. */
  put(inside: unknown): object
  /** Returns what is inside. */
  open(body: unknown): any
}

const siblings: Readonly<Record<string, readonly [Attribute, unknown]>> = {
  count: [t.integer(), 7],
  meta: [t.object({ version: t.string(), tags: t.array(t.string()) }), { version: '1', tags: ['a'] }],
  links: [t.record(t.string()), { self: '/x' }],
}

const step = fc.record({
  name: fc
    .string({ unit: fc.constantFrom(...'abcdefgxyz_'), minLength: 1, maxLength: 8 })
    .filter((name) => !(name in siblings)),
  beside: fc.subarray(Object.keys(siblings)),
})

/** Generates envelopes of at least one step. */
export const envelopes: fc.Arbitrary<Envelope> = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => {
  const beside = (names: readonly string[], i: 0 | 1): object =>
    Object.fromEntries(names.map((one) => [one, siblings[one]?.[i]]))
  return {
    path: steps.map(({ name }) => name),
    wrap: (inside) =>
      steps.reduceRight(
        (inner: Attribute, { name, beside: names }, i) =>
          t.object(
            { ...beside(names, 0), [name]: inner } as Record<string, Attribute>,
            i > 0 ? { required: true } : {},
          ),
        inside,
      ),
    put: (inside) =>
      steps.reduceRight(
        (inner: unknown, { name, beside: names }) => ({ ...beside(names, 1), [name]: inner }),
        inside,
      ) as object,
    open: (body) => steps.reduce((around: any, { name }) => around?.[name], body),
  }
})
