// The kinds that a front end can have without their declarations, for bundles that have tables in place of declarations.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Attribute, Kind, PortablePart } from './attribute.ts'
import type { JsonPrimitive } from './dumping.ts'

/** The part of a kind that reads and writes single values. */
export type PortableKind =
  | PortablePart
  | { readonly unchangedType: JsonPrimitive; readonly expected: string | undefined }

/** The kinds of the core with conversions of their own, and the names of their outlines in `edict/client/table`. */
const OUTLINES: Readonly<Record<string, string | undefined>> = {
  integer: 'integerKind',
  bigint: 'bigintKind',
  decimal: 'decimalKind',
  dateTime: 'dateTimeKind',
  file: 'fileKind',
  any: 'anyKind',
}

const TABLE = 'edict/client/table'

/** Describes the kind of an attribute for a front end; undefined if it works with its declaration only. */
export function describePortableKind({ core }: Attribute): PortableKind | undefined {
  const { config, kindName } = core
  const kind = core.kind as Partial<Kind<unknown>>
  const declared = kind.portable?.(config)
  if (declared !== undefined) return declared
  const name = Object.hasOwn(OUTLINES, kindName) ? OUTLINES[kindName] : undefined
  if (name !== undefined) return { from: TABLE, name }
  if (kindName === 'standard') return isUnchanging(config) ? { from: TABLE, name: 'openKind' } : undefined
  const { unchangedType, expected, shape = 'value', read, write, listing, selectsFrom } = kind
  const isPlain = [read, write, listing, selectsFrom].every((one) => one === undefined)
  return isPlain && unchangedType !== undefined && shape === 'value' ? { unchangedType, expected } : undefined
}

/** Returns the discriminator of a union of the core; undefined for everything else. */
export const findDiscriminator = ({ core }: Attribute): string | undefined =>
  core.kindName === 'union' ? (core.config as { readonly discriminator: string }).discriminator : undefined

// A schema whose values are the JSON that they are read from describes both in the same way. Only unknown members differ.
function isUnchanging(config: unknown): boolean {
  const { jsonSchema } = (config as StandardSchemaV1 & Partial<StandardJSONSchemaV1>)['~standard']
  const describe = (direction: 'input' | 'output'): string => {
    const schema: Readonly<Record<string, unknown>> = jsonSchema?.[direction]({ target: 'draft-2020-12' }) ?? {}
    return JSON.stringify({ ...schema, $schema: undefined }, (name, value) =>
      name === 'additionalProperties' && value === false ? undefined : value,
    )
  }
  try {
    const input = describe('input')
    return input !== '{}' && input === describe('output')
  } catch {
    // The library cannot describe it, as with zod's transformations.
    return false
  }
}
