// Which modules declare an API: by their imports alone, whatever stands around them.
import { describe, expect, it } from 'vitest'
import { findExportLine, getModuleRole } from './find-declarations.ts'

describe('the role of a module', () => {
  it.each([
    [`import { endpoint } from 'edict'`, 'declarations'],
    [`import { mediaType, t } from "edict"`, 'declarations'],
    [`import{t,endpoint}from'edict'`, 'declarations'],
    [`import {\n  t,\n  endpoint,\n} from 'edict'\n`, 'declarations'],
    [`import { endpoint as declare } from 'edict'`, 'declarations'],
    [`import { t } from 'edict'\nimport { endpoint } from 'edict'`, 'declarations'],
    [`import { endpoint, type Application } from 'edict'`, 'declarations'],
    [`import { endpoint } from 'edict'\nimport { client } from 'edict/client'`, 'mixed'],
    [`import { queryOptions } from 'edict/tanstack-query'\nimport { endpoint } from 'edict'`, 'mixed'],
    [`import { endpoint } from 'edict'\nimport { jwt } from 'edict/jwt'`, 'declarations'],
  ])('%j is one of declarations', (text, role) => {
    expect(getModuleRole(text)).toBe(role)
  })

  it.each([
    '',
    `import { t } from 'edict'`,
    `import { client } from 'edict/client'`,
    `import { endpoint } from 'other'`,
    `import { endpoint } from './edict'`,
    `import { endpoint } from 'edict/client'`,
    `import { endpoints, myendpoint, endpointOf } from 'edict'`,
    `import type { endpoint } from 'edict'`,
    `import { type endpoint } from 'edict'`,
    `import { type endpoint as e, t } from 'edict'`,
    `import { endpoint, application } from 'edict'`,
    `import { controller } from 'edict'\nimport { endpoint } from 'edict'`,
    `const text = "endpoint of edict"`,
  ])('%j is another', (text) => {
    expect(getModuleRole(text)).toBe('other')
  })
})

describe('the line of an export', () => {
  const lines = [
    `import { endpoint } from 'edict'`,
    `const Books = endpoint('Books', {})`,
    `// export const Hidden`,
    `  export const Shelf = 1`,
    `export  function  make() {}`,
    `export { Books, Other as $tag }`,
    `export const Bookshop = 2, a$b = 3`,
    `export default Books`,
  ]
  it.each([
    ['Shelf', 3],
    ['make', 4],
    ['Books', 5],
    ['Other', 5],
    ['Bookshop', 6],
    ['default', 7],
    ['Missing', 0],
    ['Book', 0],
    ['Hidden', 0],
  ])('of %s is %i', (name, line) => {
    expect(findExportLine(lines, name)).toBe(line)
  })

  it('of a default that is renamed is that of its list', () => {
    expect(findExportLine(['', 'export { Books as default }'], 'default')).toBe(1)
    expect(findExportLine(['', 'export defaults'], 'default')).toBe(0)
  })

  it('of a name with the sign of a pattern is its own', () => {
    expect(findExportLine(['export const ab = 1', 'export const a$b = 2'], 'a$b')).toBe(1)
  })
})
