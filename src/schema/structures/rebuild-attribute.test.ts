// Attributes rebuilt with other children.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../attribute.ts'
import { mapMembers } from '../children.ts'
import { Dumping } from '../dumping.ts'
import { INVALID } from '../issue.ts'
import { NamedSchemas } from '../json-schema.ts'
import { Loading } from '../loading.ts'
import { t } from '../t.ts'
import { makeLazyAttribute, rebuildAttribute } from './rebuild-attribute.ts'

const options = fc.record({ required: fc.boolean(), nullable: fc.boolean() })

const { attribute } = fc.letrec<{ attribute: Attribute; attributes: Record<string, Attribute> }>((tie) => ({
  attributes: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('attribute'), { maxKeys: 3 }),
  attribute: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    options.map((own): Attribute => t.integer({ ...own, max: 3 })),
    options.map((own): Attribute => t.string(own)),
    fc.tuple(tie('attribute'), options).map(([of, own]): Attribute => t.array(of, { ...own, max: 2 })),
    fc.tuple(tie('attribute'), options).map(([of, own]): Attribute => t.record(of, own)),
    fc.tuple(tie('attributes'), options).map(([of, own]): Attribute => t.object(of, own)),
    fc.tuple(tie('attributes'), options).map(([of, own]): Attribute => t.union('kind', { one: of, two: {} }, own)),
    fc.tuple(tie('attribute'), options).map(([of, own]): Attribute => t.ref(() => of, own)),
  ),
}))

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.integer({ min: 0, max: 5 }),
    fc.constantFrom('x', null, 'one'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'kind'), tie('value')),
  ),
}))

function load({ core }: Attribute, input: unknown): unknown {
  const loading = new Loading('json')
  const result = attributeRules.getLoader({ core })(input, loading)
  return { value: result === INVALID ? undefined : result, issues: loading.issues }
}

function dump({ core }: Attribute, input: unknown): unknown {
  const dumping = new Dumping('checked')
  const result = attributeRules.getDumper({ core })(input, dumping)
  return { value: result === INVALID ? undefined : result, issues: dumping.issues }
}

const deeply = (one: Attribute): Attribute =>
  rebuildAttribute(one, (children) =>
    mapMembers(children, (below) => makeLazyAttribute(() => deeply(below), below.options)),
  )

describe('an attribute that is rebuilt of the same attributes', () => {
  it('loads and dumps as before, at once or when a value is there', () => {
    fc.assert(
      fc.property(attribute, value, (one, input) => {
        const same = rebuildAttribute(one, (children) => children)
        for (const other of [same, deeply(one)]) {
          expect(load(other, input)).toEqual(load(one, input))
          expect(dump(other, input)).toEqual(dump(one, input))
        }
      }),
    )
  })

  it('has the schema of before', () => {
    const one = t.object({ list: t.array(t.integer(), { min: 1 }), free: t.record(t.string()) }, { nullable: true })
    const schema = ({ core }: Attribute) => attributeRules.buildSchema({ core }, new NamedSchemas())
    expect(schema(rebuildAttribute(one, (children) => children))).toEqual(schema(one))
  })
})

it('what stands for another attribute says itself whether it must be there', () => {
  const target = t.object({ id: t.integer() }, { required: true, nullable: true })
  const rebuilt = rebuildAttribute(
    t.ref(() => target, { description: 'mine' }),
    (children) => children,
  )
  expect(rebuilt.options).toMatchObject({ required: false, nullable: false, description: 'mine' })
})

it('a type that contains itself is made as deep as a value is', () => {
  const node: Attribute = t.object({ id: t.integer(), next: t.ref((): Attribute => node) })
  expect(load(deeply(node), { id: 1, next: { id: 2, next: { id: 3 } } })).toEqual({
    value: { id: 1, next: { id: 2, next: { id: 3 } } },
    issues: null,
  })
})
