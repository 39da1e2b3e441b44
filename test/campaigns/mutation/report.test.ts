// The figures of campaigns.
import { describe, expect, it } from 'vitest'
import { folderOf, isLow, type Mutant, reportOf, tableOf } from './report.ts'

const mutant = (file: string, status: string, replacement = 'false'): Mutant => ({
  file,
  line: 1,
  mutator: 'ConditionalExpression',
  original: 'a < b',
  replacement,
  status,
})

describe('the report of a campaign', () => {
  it('counts by folders, and survivors without a reason only', () => {
    const mutants = [
      mutant('src/client/read-response.ts', 'Killed'),
      mutant('src/client/read-response.ts', 'Timeout'),
      mutant('src/client/pages.ts', 'RuntimeError'),
      mutant('src/client/pages.ts', 'Survived'),
      mutant('src/client/pages.ts', 'NoCoverage', 'true'),
      mutant('src/client/pages.ts', 'Ignored'),
      mutant('src/plugins/mapper/read/list.ts', 'Survived'),
    ]
    const accepted = [
      { file: 'src/client/pages.ts', original: 'a < b', replacement: 'true', reason: 'a is never b' },
      { file: 'src/plugins/mapper/read/list.ts', original: 'a < c', replacement: 'false', reason: 'it was so once' },
      { file: 'src/path/syntax/ast.ts', original: 'a < c', replacement: 'false', reason: 'nobody looked at it' },
    ]
    const files = ['src/client/read-response.ts', 'src/client/pages.ts', 'src/plugins/mapper/read/list.ts']
    const report = reportOf(mutants, accepted, { files })
    expect(report.folders).toMatchObject([
      { folder: 'src/client', killed: 2, timeouts: 1, survived: 1, accepted: 1, percent: 75 },
      { folder: 'src/plugins/mapper', killed: 0, timeouts: 0, survived: 1, accepted: 0, percent: 0 },
    ])
    expect(report.gone).toEqual([accepted[1]])
    expect(tableOf(report).split('\n')).toEqual([
      'folder              killed  timeouts  survived  accepted  percent',
      'src/client          2       1         1         1         75.0',
      'src/plugins/mapper  0       0         1         0         0.0',
    ])
  })

  it('gives a sample its interval, and asks nothing of accepted survivors outside of it', () => {
    const mutants = [
      ...Array.from({ length: 90 }, () => mutant('src/path/syntax/ast.ts', 'Killed')),
      ...Array.from({ length: 10 }, () => mutant('src/path/syntax/ast.ts', 'Survived')),
      mutant('src/path/syntax/ast.ts', 'Killed', 'true'),
    ]
    const outside = { file: 'src/path/syntax/ast.ts', original: 'a < c', replacement: 'false', reason: 'a is never c' }
    const noticed = { file: 'src/path/syntax/ast.ts', original: 'a < b', replacement: 'true', reason: 'it was so once' }
    const report = reportOf(mutants, [outside, noticed], { files: ['src/path/syntax/ast.ts'], sampled: true })
    expect(report.gone).toEqual([noticed])
    expect(tableOf(report).split('\n')).toEqual([
      'folder    killed  timeouts  survived  accepted  percent  95 % interval',
      'src/path  91      0         10        0         90.1     82.7 to 94.5',
    ])
  })

  it('fails a sample only where its whole interval lies below the bound', () => {
    expect(isLow({ percent: 91.9 })).toBe(true)
    expect(isLow({ percent: 92 })).toBe(false)
    expect(isLow({ percent: 90, interval: [82, 94.5] })).toBe(false)
    expect(isLow({ percent: 80, interval: [72, 86] })).toBe(true)
  })

  it('counts files in the folders that have tests of their own', () => {
    const files = [
      'src/errors.ts',
      'src/server/steps/load-body.ts',
      'src/plugins/datastores/sql/sql.ts',
      'src/adapters/node/message/collect-body.ts',
    ]
    expect(files.map(folderOf)).toEqual(['src', 'src/server', 'src/plugins/datastores', 'src/adapters/node'])
  })
})
