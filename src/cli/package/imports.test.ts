import { describe, expect, it } from 'vitest'
import { findImports, maskLiterals, withSpecifiers } from './imports.ts'

const specifiers = (text: string): string[] => findImports(text).map(({ specifier }) => specifier)

describe('importsOf', () => {
  it.each([
    ["import { t } from 'edict'\n", ['edict']],
    ['import {\n  endpoint,\n  t,\n} from "edict";\n', ['edict']],
    ["import * as z from 'zod'\nimport 'side-effect'", ['zod', 'side-effect']],
    [
      "import one, { two } from './a.ts'\nexport * from './b.ts'\nexport { c as d } from './c.ts'",
      ['./a.ts', './b.ts', './c.ts'],
    ],
    ["export * as all from './a.js'", ['./a.js']],
    ["const later = await import('./late.js')", ['./late.js']],
    ['export declare const X: import("edict").Endpoint<"X", { a: import(\'./a.ts\').A }>;', ['edict', './a.ts']],
    ["import type { A } from './a.ts'\nimport { type B } from './b.ts'", ['./a.ts', './b.ts']],
    ['import data from "./a.json" with { type: "json" };', ['./a.json']],
  ])('finds those of %j', (text, found) => expect(specifiers(text)).toEqual(found))

  it.each([
    `export const text = "taken from 'elsewhere'"`,
    `export const text = 'import { x } from "y"'`,
    'export const text = `\nimport { x } from "y"\nexport * from "z"\n`',
    `// import 'x'\n/* import 'y'\nexport * from 'z' */`,
    `export const pattern = /import "x" from 'y'/`,
    `export const pattern = [/"/, /[/"]import "x"/, 'y']`,
    'export const from = "x", half = 1 / 2, other = "import \'x\'"',
    `load.import('x')`,
    `export declare const description: "See import('x') and \\"import 'y'\\"";`,
  ])('sees none in %j', (text) => expect(specifiers(text)).toEqual([]))
})

describe('codeOf', () => {
  it('keeps every position', () => {
    const text = `const a = "b" /* c */ + /d/.source // e\nconst f = \`g\n\${h}\``
    const code = maskLiterals(text)
    expect(code).toHaveLength(text.length)
    expect(code.split('\n').map(({ length }) => length)).toEqual(text.split('\n').map(({ length }) => length))
    expect(code).not.toMatch(/[bdgh]|c \*|\be\b/)
  })

  it('takes time that grows with the text alone', () => {
    const text = `const a = [${'"x", /y\\//, 1 / 2, `z`, '.repeat(20_000)}]`
    const start = performance.now()
    maskLiterals(text)
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe('withSpecifiers', () => {
  it('changes specifiers and nothing else', () => {
    const text = `import { a } from './a.ts'\nexport const text = './a.ts from'\nexport * from "./b"\n`
    expect(withSpecifiers(text, (one) => `${one.replace(/\.ts$/, '')}.js`)).toBe(
      `import { a } from './a.js'\nexport const text = './a.ts from'\nexport * from "./b.js"\n`,
    )
  })
})
