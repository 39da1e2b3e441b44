// An envelope around bodies: actions and callers have the value, the wire has `{ "data": …, "meta": … }`.

import type { Attribute } from 'edict'
import { readValue, writeValue } from 'edict/client'
import { applyOptions, attribute, attributeRules, type Kind } from 'edict/extend'

interface Envelope {
  readonly of: Attribute
  readonly meta: Readonly<Record<string, string>>
}

const dataIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined

const EXPECTED = { expected: 'an object with data', kind: 'envelope' }

const envelopeKind: Kind<Envelope> = {
  name: 'envelope',
  shape: 'open',
  loader:
    ({ of }) =>
    (value, loading) => {
      const data = dataIn(value)
      return data === undefined ? loading.fail('type', EXPECTED) : attributeRules.getLoader(of)(data, loading)
    },
  dumper:
    ({ of, meta }) =>
    (value, dumping) => ({ data: attributeRules.getDumper(of)(value, dumping), meta }),
  // Browsers have no loaders of edict's own kinds.
  read: (value, { config }, fail) => {
    const data = dataIn(value)
    return data === undefined ? fail('must be an object with data') : readValue((config as Envelope).of, data)
  },
  write: (value, { config }) => ({ data: writeValue((config as Envelope).of, value), meta: (config as Envelope).meta }),
  jsonSchema: ({ of, meta }, options, schemas) =>
    applyOptions(
      {
        type: 'object',
        properties: { data: attributeRules.buildSchema(of, schemas), meta: { type: 'object', default: meta } },
        required: ['data', 'meta'],
      },
      options,
    ),
  example: ({ of }, _, seed) => attributeRules.makeExample(of, seed),
}

/** Declares a body in an envelope: `responses: { ok: enveloped(Book, { api: '1' }) }`. */
export const enveloped = <A extends Attribute>(
  of: A,
  meta: Readonly<Record<string, string>> = {},
): Attribute<A['~type'], true> => attribute<Envelope, A['~type'], true>(envelopeKind, { of, meta }, { required: true })
