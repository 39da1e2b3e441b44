// Regression: a JSON value with the brand of a file was accepted as a file.
import { expect, it } from 'vitest'
import { loadAttributeValue } from '../../../test/support/load-value.ts'
import { t } from '../t.ts'
import { isFile } from './file.ts'

it('a client cannot forge a file with its brand', () => {
  expect(isFile({ '~file': true })).toBe(false)
  expect(loadAttributeValue(t.file(), { '~file': true, type: 'text/plain' })).toMatchObject({
    issues: [{ code: 'type' }],
  })
})
