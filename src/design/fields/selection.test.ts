// Selections: how they are created, and how the selected part is checked.

import { describe, expect, it } from 'vitest'
import { type Attribute, type Kind, makeAttribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { t } from '../../schema/t.ts'
import { attributeRules } from '../attribute-rules.ts'
import { mediaType } from '../declare/media-type.ts'
import {
  findResource,
  findSelectionParam,
  getSelectableBelow,
  type Selection,
  selectFields,
  toSelectableBody,
} from './selection.ts'

const Tree = mediaType('Tree', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true, max: 3 }),
    root: t.ref((): Attribute => Tree, { required: true, nullable: true }),
    leaves: t.array(t.object({ n: t.integer({ required: true }), secret: t.string() }), { max: 2 }),
    notes: t.record(t.object({ text: t.string() }, { nullable: true })),
  },
  views: { short: ['id'] },
})

const pick = (fields: Record<string, Selection | undefined>): Selection => ({ fields: new Map(Object.entries(fields)) })

function shown(selection: Selection, value: unknown, checks = true): unknown {
  const dumping = new Dumping(checks ? 'checked' : 'unchecked')
  const dumped = attributeRules.getDumper(selectFields(Tree, selection))(value, dumping)
  if (dumping.issues === null) return dumped
  return [dumped === INVALID, ...dumping.issues.map(({ pointer, code }) => `${pointer} ${code}`)]
}

describe('what is selected', () => {
  it('is as required, nullable and limited as it was declared', () => {
    const root = pick({ root: pick({ id: undefined }) })
    expect(shown(root, { root: { id: 1 } })).toEqual({ root: { id: 1 } })
    expect(shown(root, { root: null })).toEqual({ root: null })
    expect(shown(root, {})).toEqual([false, '/root missing'])
    expect(shown(root, { root: {} })).toEqual([false, '/root/id missing'])
    expect(shown(root, { root: { id: 'x' } }, false)).toEqual([true, '/root/id type'])
    const leaves = pick({ leaves: pick({ n: undefined }) })
    const leaf = { n: 1, secret: 's' }
    expect(shown(leaves, { leaves: [leaf] })).toEqual({ leaves: [{ n: 1 }] })
    expect(shown(leaves, { leaves: [leaf, {}] })).toEqual([false, '/leaves/1/n missing'])
    expect(shown(leaves, { leaves: [leaf, leaf, leaf] })).toEqual([false, '/leaves max-items'])
    expect(shown(leaves, { leaves: [null] })).toEqual([false, '/leaves/0 null'])
    const notes = pick({ notes: pick({ text: undefined }) })
    expect(shown(notes, { notes: { a: null, b: { text: 'x', more: 1 } } })).toEqual({
      notes: { a: null, b: { text: 'x' } },
    })
  })

  it('is never something undeclared, whatever a selection names', () => {
    const wild = pick({
      id: pick({ x: undefined }),
      other: undefined,
      constructor: undefined,
      leaves: pick({ m: undefined }),
    })
    expect(shown(wild, { id: 1, other: 2, constructor: 3, leaves: [{ m: 1, n: 2 }] })).toEqual({ id: 1, leaves: [{}] })
  })
})

describe('what can be selected', () => {
  it('below an attribute: structures and the elements of lists, through references', () => {
    const point = t.object({ x: t.integer() })
    for (const one of [point, t.array(point), t.record(t.array(point)), t.ref(() => t.array(point))])
      expect(Object.keys(getSelectableBelow(one) ?? {})).toEqual(['x'])
    expect(Object.keys(getSelectableBelow(t.ref(Tree, { required: true })) ?? {})).toEqual(Object.keys(Tree.attributes))
    expect(Object.keys(getSelectableBelow(Tree.view('short')) ?? {})).toEqual(['id'])
    const union = t.union('kind', { a: { x: t.integer() } })
    for (const one of [t.string(), t.any(), t.array(t.string()), union, t.ref(() => union), t.array(union)])
      expect(getSelectableBelow(one)).toBeUndefined()
  })

  it('of a body: a media type, its views and lists of those', () => {
    expect(toSelectableBody(Tree, Tree)).toBe(Tree)
    expect(toSelectableBody(Tree.view('short'), Tree)).toBe(Tree)
    const list = toSelectableBody(t.array(Tree.view('short'), { max: 1 }), Tree) as Attribute
    expect([findResource(list), list.options]).toEqual([Tree, { max: 1 }])
    const short = Tree.view('short')
    for (const body of [Tree, short, Tree.view('default')]) expect(toSelectableBody(body, short)).toBe(short)
    const Other = mediaType('Tree', { attributes: Tree.attributes })
    for (const body of [Other, t.string(), t.object({ one: Tree, other: Tree })])
      expect(toSelectableBody(body, Tree)).toBeUndefined()
  })
})

it('the param of a selection is found by what its kind projects', () => {
  const kind: Kind<undefined> = {
    name: 'only',
    selectsFrom: () => Tree,
    loader: () => (value) => value,
    dumper: () => (value) => value,
    jsonSchema: () => ({ type: 'string' }),
    example: () => 'id',
  }
  const param = makeAttribute(kind, undefined)
  expect(findSelectionParam({ a: t.string(), only: param })).toEqual({ name: 'only', from: Tree })
  expect(findSelectionParam({ fields: t.string() })).toBeUndefined()
})
