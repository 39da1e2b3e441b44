import { expect, it } from 'vitest'
import { parseSelection } from '../../../extend.ts'
import { ParamLayout } from './param-layout.ts'
import { readFieldSelection } from './read-params.ts'

it('adds the key of each list to one selection, and the same selection for the same key', () => {
  const layout = new ParamLayout({ fields: 'fieldsOfType' })
  const params = { fields: { books: parseSelection(['title']) } }
  const namesWith = (...key: string[]): string[] => [...(readFieldSelection(layout, params, key)?.fields.keys() ?? [])]
  expect(namesWith('id')).toEqual(['id', 'title'])
  expect(namesWith('shelf', 'isbn')).toEqual(['shelf', 'isbn', 'title'])
  expect(namesWith()).toEqual(['title'])
  expect(readFieldSelection(layout, params, ['id'])).toBe(readFieldSelection(layout, params, ['id']))
})
