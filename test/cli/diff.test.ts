// `edict contract` and `edict diff` as child processes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile, edict, MAIN, node, project } from '../support/project.ts'

vi.setConfig({ testTimeout: 30_000 })

const source = (params: string, description = ''): string => `
import { application, endpoint, route, t } from 'edict'
console.log('starting')
const Books = endpoint('Books', {
  actions: { show: { routing: route.get('/:id'), ${description} params: { id: t.integer(), ${params} }, responses: { ok: 'text/plain' } } },
})
export const app = application({ title: 'Library', controllers: [Books.implement({ show: () => 'x' })] })
`

let folder: string

beforeAll(async () => {
  await compile()
  folder = project(
    'differences',
    {
      'app.js': source('kind: t.string()'),
      'typed.ts': `enum Level { Low }\nexport const level: Level = Level.Low\n${source('kind: t.string()')}`,
      'next.js': source(`kind: t.string({ values: ['a', 'b'] }), page: t.integer()`, `description: 'Shows a book.',`),
      'more.js': source('kind: t.string(), page: t.integer()'),
      'broken.js': `import { application } from 'edict'\nexport const app = application({ controllers: [] })`,
      'other.json': '{ "openapi": "3.1.1" }',
      'half.json': '{',
    },
    ['tsx'],
  )
  const { stdout } = await edict(folder, 'contract')
  writeFileSync(join(folder, 'contract.json'), stdout)
}, 120_000)

const list = `Breaking (1)
  Books.show › params.kind: its values are only "a", "b" now [values-listed]

Compatible (1)
  Books.show › params.page: it is new, and may be sent [input-added]

Documentation (1)
  Books.show: its description was added [description-changed]
`

describe('edict contract', () => {
  it('prints the contract and nothing else', async () => {
    const { code, stdout } = await edict(folder, 'contract', '--app', 'typed.ts')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ contract: 1, title: 'Library', endpoints: [{ name: 'Books' }] })
  })
})

describe('edict diff', () => {
  it('ends with 1 when something breaks clients, and lists that first', async () => {
    const { code, stdout } = await edict(folder, 'diff', 'contract.json', 'next.js')
    expect({ code, stdout }).toEqual({ code: 1, stdout: list })
  })

  it('ends with 0 when nothing does', async () => {
    const { code, stdout } = await edict(folder, 'diff', 'contract.json', 'more.js')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Compatible (1)\n  Books.show › params.page: it is new, and may be sent [input-added]\n',
    })
  })

  it('compares applications, TypeScript included', async () => {
    const { code, stdout } = await edict(folder, 'diff', 'app.js', 'typed.ts')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing changed.\n' })
  })

  it('accepts breaking changes by their rules', async () => {
    const { code, stdout } = await edict(
      folder,
      'diff',
      'contract.json',
      'next.js',
      '--allow',
      'type-changed,values-listed',
    )
    expect(code).toBe(0)
    expect(stdout).toContain('[values-listed, allowed]')
    expect((await edict(folder, 'diff', 'contract.json', 'next.js', '--allow', 'type-changed')).code).toBe(1)
  })

  it('prints JSON', async () => {
    const { code, stdout } = await edict(folder, 'diff', '--json', 'contract.json', 'next.js')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual([
      {
        kind: 'breaking',
        location: 'Books.show › params.kind',
        message: 'its values are only "a", "b" now',
        rule: 'values-listed',
      },
      {
        kind: 'compatible',
        location: 'Books.show › params.page',
        message: 'it is new, and may be sent',
        rule: 'input-added',
      },
      {
        kind: 'documentation',
        location: 'Books.show',
        message: 'its description was added',
        rule: 'description-changed',
      },
    ])
  })

  it('uses colours on a terminal only', async () => {
    const terminal = `data:text/javascript,${encodeURIComponent(`
      import { WriteStream } from 'node:tty'
      const { hasColors, getColorDepth } = WriteStream.prototype
      Object.assign(process.stdout, { isTTY: true, hasColors, getColorDepth })
    `)}`
    const args = ['--import', terminal, MAIN, 'diff', 'contract.json', 'next.js']
    const { stdout } = await node(args, folder, { FORCE_COLOR: '1' })
    expect(stdout).toContain('[31mBreaking (1)')
    expect(stripVTControlCharacters(stdout)).toBe(list)
  })

  it.each([
    [['contract.json'], 'Expected argument for new'],
    [['contract.json', 'next.js', '--allow', 'No Rule'], 'say rules as edict diff prints them'],
    [['contract.json', 'missing.js'], 'There is no file'],
    [['missing.json', 'app.js'], 'cannot be read'],
    [['half.json', 'app.js'], 'cannot be read'],
    [['other.json', 'app.js'], 'is no contract.\nRemedy: write it with: edict contract > contract.json'],
    [['contract.json', 'broken.js'], 'controllers: it is empty'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await edict(folder, 'diff', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
