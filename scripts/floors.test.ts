import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findFloorViolations } from './floors.ts'

/** Returns the violations found in a folder with these files. */
function check(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'floors-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return findFloorViolations(root)
}

const empty = 'export {}\n'

it('accepts imports of the own folder and of lower floors', () => {
  const files = {
    'src/errors.ts': empty,
    'src/util/text.ts': empty,
    'src/schema/string.ts': "import '../errors.ts'\nimport '../util/text.ts'\nimport 'negotiator'\n",
    'src/server/stages/load.ts': "import '../../schema/string.ts'\n",
    'src/server/app.ts': "import './stages/load.ts'\n",
    'src/adapters/node/index.ts': "import 'node:http'\nexport * from '../../server/app.ts'\n",
    'src/index.ts': "export * from './server/app.ts'\n",
  }
  expect(check(files)).toEqual([])
})

it('reports an import of a higher floor with its line and a remedy', () => {
  const [text, ...others] = check({
    'src/schema/string.ts': "// a comment\nimport '../server/app.ts'\n",
    'src/server/app.ts': empty,
  })
  expect(others).toEqual([])
  expect(text).toMatch(/^src\/schema\/string\.ts:2: imports src\/server\/app\.ts \(server, floor 4\).*Remedy: /)
})

it.each([
  ['a neighbour folder', "import '../path/compile.ts'"],
  ['a type', "import type { A } from '../path/compile.ts'"],
  ['an inline type', "import { type A } from '../path/compile.ts'"],
  ['a type expression', "export type A = import('../path/compile.ts').A"],
  ['a re-export', "export * from '../path/compile.ts'"],
  ['a re-exported type', "export type { A } from '../path/compile.ts'"],
  ['an import over several lines', "import {\n  A,\n} from '../path/compile.ts'"],
  ['a dynamic import', "await import('../path/compile.ts')"],
])('sees %s', (_, text) => {
  expect(check({ 'src/schema/string.ts': text, 'src/path/compile.ts': empty })).toHaveLength(1)
})

it('ignores imports in comments and strings', () => {
  const text = `// import '../server/app.ts'\n/* import '../server/app.ts' */\nexport const a = "import '../server/app.ts'"\n`
  expect(check({ 'src/schema/string.ts': text, 'src/server/app.ts': empty })).toEqual([])
})

it('keeps adapters apart', () => {
  const files = { 'src/adapters/node/index.ts': "import '../fetch/index.ts'\n", 'src/adapters/fetch/index.ts': empty }
  expect(check(files)).toEqual([expect.stringContaining('src/adapters/node/index.ts:1: imports src/adapters/fetch')])
})

it('lets the towers, and nobody else, read the routing table next to them', () => {
  const routing = { 'src/routing/table.ts': empty }
  expect(check({ ...routing, 'src/openapi/document.ts': "import '../routing/table.ts'\n" })).toEqual([])
  expect(
    check({ 'src/openapi/document.ts': empty, 'src/client/call.ts': "import '../openapi/document.ts'" }),
  ).toHaveLength(1)
})

it.each(['node:fs', 'fs', 'fs/promises', 'node:test'])('keeps %s out of the core', (name) => {
  expect(check({ 'src/server/app.ts': `import '${name}'\n` })).toEqual([expect.stringContaining("imports Node's")])
  expect(check({ 'src/cli/main.ts': `import '${name}'\n` })).toEqual([])
})

it('reports circles of rooms inside a floor, where no file imports itself', () => {
  const files = {
    'src/server/steps/load.ts': "import '../body/json.ts'\n",
    'src/server/steps/step.ts': empty,
    'src/server/body/json.ts': empty,
    'src/server/body/form.ts': "import '../steps/step.ts'\n",
  }
  const [text, ...others] = check(files)
  expect(others).toEqual([])
  expect(text).toMatch(/^src\/server\/(steps|body)\/\w+\.ts:1: .*closes a circle of rooms: src\/server\/\w+ → /)
})

it('reports circles of rooms through a file next to them', () => {
  const files = {
    'src/server/app.ts': "import './steps/load.ts'\n",
    'src/server/steps/load.ts': empty,
    'src/server/steps/step.ts': "import '../app.ts'\n",
  }
  expect(check(files)).toEqual([expect.stringContaining('closes a circle of rooms')])
})

it('reports cycles, of types and inside one folder too', () => {
  const files = {
    'src/server/app.ts': "import './stages/load.ts'\n",
    'src/server/stages/load.ts': "import type { A } from '../pipeline.ts'\n",
    'src/server/pipeline.ts': "\nimport { type B } from './app.ts'\n",
  }
  expect(check(files)).toEqual([
    expect.stringContaining(
      'src/server/pipeline.ts:2: closes a cycle: src/server/app.ts → src/server/stages/load.ts → src/server/pipeline.ts → src/server/app.ts',
    ),
  ])
  expect(check({ 'src/util/a.ts': "import './a.ts'\n" })).toHaveLength(1)
})

it('keeps src away from tests, examples, benchmarks and from its own package name', () => {
  for (const specifier of ['../test/help.ts', '../examples/blog.ts', '../bench/load.ts', 'edict', 'edict/node']) {
    expect(check({ 'src/index.ts': `import '${specifier}'\n` })).toHaveLength(1)
  }
})

it('reports files without a floor and imports of nothing', () => {
  expect(check({ 'src/stray.ts': empty })).toEqual([expect.stringContaining('src/stray.ts:1: is on no floor')])
  expect(check({ 'src/util/a.ts': "import './b.ts'" })).toEqual([expect.stringContaining('does not exist')])
})

it('exempts tests', () => {
  const text = "import 'node:fs'\nimport '../server/app.ts'\n"
  expect(check({ 'src/util/a.test.ts': text, 'src/util/a.test-d.ts': text })).toEqual([])
})

it('a plugin imports what a package outside could, and nothing else', () => {
  const files = {
    'src/plugins/docs/plugin.ts': "import '../../extend.ts'\nimport '../../server/app.ts'\nimport './page.ts'\n",
    'src/plugins/docs/docs-page.ts': empty,
    'package.json': JSON.stringify({ exports: { './extend': { default: './dist/extend.js' } } }),
    'src/extend.ts': empty,
    'src/server/app.ts': empty,
  }
  expect(check(files).filter((one) => one.includes('no package outside'))).toEqual([
    expect.stringContaining('src/plugins/docs/plugin.ts:2: imports src/server/app.ts'),
  ])
})

it.each(['mock', 'testing', 'cli', 'suites'])(
  '%s imports the entry points of plugins, and no other file of them',
  (tool) => {
    const manifest = {
      './mapper': { default: './dist/plugins/mapper/index.js' },
      './mapper/extend': { default: './dist/plugins/mapper/extend.js' },
      './mapper/pg': { default: './dist/plugins/datastores/plain/pg.js' },
      './cors': { default: './dist/plugins/cors/index.js' },
    }
    const found = check({
      'package.json': JSON.stringify({ exports: manifest }),
      'src/schema/string.ts': empty,
      'src/plugins/mapper/index.ts': empty,
      'src/plugins/mapper/extend.ts': empty,
      'src/plugins/mapper/read/list.ts': empty,
      'src/plugins/query/query.ts': empty,
      'src/plugins/datastores/plain/pg.ts': empty,
      'src/plugins/cors/index.ts': empty,
      'src/plugins/cors/plugin.ts': empty,
      [`src/${tool}/doors.ts`]:
        "import '../plugins/mapper/index.ts'\nimport '../plugins/mapper/extend.ts'\nimport '../schema/string.ts'\n",
      [`src/${tool}/windows.ts`]:
        "import type { A } from '../plugins/mapper/read/list.ts'\nimport '../plugins/query/query.ts'\nawait import('../plugins/cors/plugin.ts')\n",
    })
    const remedy = 'Remedy: import it from'
    const ofMapper = `${remedy} src/plugins/mapper/index.ts or src/plugins/mapper/extend.ts, and export it there if it is missing.`
    expect(found).toEqual([
      `src/${tool}/windows.ts:1: imports src/plugins/mapper/read/list.ts, which no package outside can. ${ofMapper}`,
      `src/${tool}/windows.ts:2: imports src/plugins/query/query.ts, which no package outside can. ${ofMapper}`,
      expect.stringContaining(`${remedy} src/plugins/cors/index.ts, and export`),
    ])
  },
)

it.each([
  "if (core.kindName === 'string') a()",
  "if ('string' !== one.core.kindName) a()",
  'switch (attribute.core.kindName) {',
  'if (NAMES.has(core.kindName)) a()',
  'const codec = CODECS[core.kindName]',
  "const isText = ({ kindName }: Core) => kindName === 'string'",
  'const { kindName: kind } = core',
  "if (core.kindName.startsWith('date')) a()",
  "if (core['kindName'] === 'string') a()",
  'if (core[`kindName`] === name) a()',
  "if (Reflect.get(core, 'kindName') === name) a()",
  '({ kindName } = core)',
  '({ kindName: kind } = core)',
  'if (`$' + "{core.kindName}` === 'file') a()",
  "if (String(core.kindName).startsWith('date')) a()",
  'if (NAMES.has(`$' + '{core.kindName}`)) a()',
  'const codec = CODECS[String(core.kindName)]',
])('only src/schema reads the name of a kind: %s', (line) => {
  expect(check({ 'src/server/a.ts': `${line}\n` })).toEqual([expect.stringContaining('src/server/a.ts:1: asks for')])
  expect(check({ 'src/schema/a.ts': `${line}\n` })).toEqual([])
  for (const text of ['String(core.kindName)', '`a value of the kind $' + '{core.kindName}`'])
    expect(check({ 'src/server/a.ts': `export const a = ${text}\n` })).toEqual([])
})

it.each([
  "process.getBuiltinModule('node:fs')",
  "process?.getBuiltinModule?.('node:fs')",
  "globalThis.process['getBuiltinModule']('fs')",
  'const { getBuiltinModule } = process',
  "createRequire('x')('node:fs')",
  "process.binding('fs')",
  'require(name)',
  'await import(name)',
  'await import(`node:$' + '{name}`)',
])('only listed files ask a process for a module of Node: %s', (line) => {
  expect(check({ 'src/server/a.ts': `${line}\n` })).toEqual([
    expect.stringContaining('src/server/a.ts:1: asks Node for'),
  ])
  expect(check({ 'src/cli/a.ts': `${line}\n` })).toEqual([])
})

it('tells one line for each cause of a cycle, the shortest way round', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [
      `src/util/f${i}.ts`,
      `import './f${i + 1}.ts'\nimport './f${Math.min(i + 2, 8)}.ts'\n`,
    ]),
  )
  const found = check({
    ...chain,
    'src/util/f8.ts': "import './f5.ts'\n",
    'src/schema/a.ts': "import './b.ts'",
    'src/schema/b.ts': "import './a.ts'",
  })
  expect(found.map((text) => /cycle: ([^.]*\.ts(?: → [^.]*\.ts)*)/.exec(text)?.[1])).toEqual([
    'src/schema/a.ts → src/schema/b.ts → src/schema/a.ts',
    expect.stringMatching(/^src\/util\/f\d\.ts → src\/util\/f\d\.ts → src\/util\/f\d\.ts(?: → src\/util\/f\d\.ts)?$/),
  ])
})

it('accepts a browser variant beside its file, and reports one without, or one that is imported', () => {
  const files = {
    'src/util/text.ts': empty,
    'src/util/text.browser.ts': "import type * as server from './text.ts'\n",
    'src/application.ts': "import './util/text.ts'\n",
    'src/application.browser.ts': empty,
  }
  expect(check(files)).toEqual([])
  const violations = check({
    ...files,
    'src/util/other.browser.ts': empty,
    'src/schema/a.ts': "import '../util/text.browser.ts'\n",
  })
  expect(violations).toEqual([
    expect.stringMatching(/^src\/util\/other\.browser\.ts:1: replaces no file\. Remedy: /),
    expect.stringMatching(/^src\/schema\/a\.ts:1: imports .*\. Remedy: /),
  ])
})
