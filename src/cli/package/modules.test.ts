import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { copyModules, findCommonFolder, followImports, getPackageName } from './modules.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-modules-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0

function createFolder(files: Readonly<Record<string, string>>): string {
  const own = join(root, `${count++}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, path)), { recursive: true })
    writeFileSync(join(own, path), text)
  }
  return own
}

const getRefusal = (text: string): string => {
  try {
    followImports(createFolder({ 'a.js': text }), ['a.js'], '.js')
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('reach', () => {
  it('follows imports with every ending that bundlers know, also in circles', () => {
    const files = {
      'src/a.js': 'import { b } from "./b.js"\nimport c from "./c"\nimport "../d"\nimport { z } from "zod/v4"\n',
      'src/b.js': 'export * from "./a.js"\nexport { x } from "@acme/shared/x"\n',
      'src/c.js': 'import "./e.ts"\n',
      'd/index.js': '',
      'src/e.js': 'import data from "./f.json"\n',
      'src/f.json': '{}',
      'src/other.js': 'import "node:fs"\n',
    }
    const { modules, packages } = followImports(createFolder(files), ['src/a.js'], '.js')
    expect([...modules].sort()).toEqual(
      Object.keys(files)
        .filter((name) => name !== 'src/other.js')
        .sort(),
    )
    expect([...packages]).toEqual([
      ['zod', 'src/a.js'],
      ['@acme/shared', 'src/b.js'],
    ])
  })

  it('follows types apart from scripts', () => {
    const own = createFolder({
      'a.d.ts': 'export declare const a: import("./b.ts").B; export type { C } from "./c"\n',
      'b.d.ts': 'export interface B {}\n',
      'c/index.d.ts': 'import type { D } from "drizzle-orm"\nexport type C = D\n',
    })
    const { modules, packages } = followImports(own, ['a.d.ts'], '.d.ts')
    expect([...modules]).toEqual(['a.d.ts', 'b.d.ts', 'c/index.d.ts'])
    expect([...packages.keys()]).toEqual(['drizzle-orm'])
    const to = join(own, 'copy')
    copyModules(own, { modules, packages }, '.d.ts', (module) => join(to, module))
    expect(readFileSync(join(to, 'a.d.ts'), 'utf8')).toBe(
      'export declare const a: import("./b.js").B; export type { C } from "./c/index.js"\n',
    )
  })

  it.each([
    ['import { hostname } from "node:os"', "imports 'node:os', which only servers have"],
    ['import { hostname } from "os"', "imports 'os', which only servers have"],
    ['import { serve } from "edict/node"', "imports 'edict/node', which is for servers"],
    ['import { drizzleDatastore } from "edict/mapper/drizzle"', 'which is for servers'],
    [
      'import { t,\n  controller as c } from "edict"',
      "imports controller from 'edict': the package would contain the server",
    ],
    ['import { FieldSelector, resource } from "edict/mapper"', 'imports resource'],
    ['const path = process.env.PREFIX', 'reads process.env, which browsers do not have'],
    ['import "./nowhere.js"', "imports './nowhere.js', which the compiler wrote no file for"],
  ])('refuses %j with the location and a remedy', (text, problem) => {
    expect(getRefusal(text)).toContain(problem)
    expect(getRefusal(text)).toMatch(/^\S*a\.ts .*\nRemedy: \w/)
  })

  it.each([
    'import { endpoint, t, route } from "edict"',
    'import { rateLimit } from "edict/rate-limit"',
    'import { PaginationParams } from "edict/pagination"',
    'export const description = "reads process.env, and imports application from \'edict\'"',
  ])('accepts %j', (text) => expect(getRefusal(text)).toBe(''))
})

it('puts packages and folders together', () => {
  expect([getPackageName('zod/v4'), getPackageName('@acme/a/b'), getPackageName('edict')]).toEqual([
    'zod',
    '@acme/a',
    'edict',
  ])
  expect(findCommonFolder(['a/b/c.js', 'a/b/d/e.js', 'a/b/c.d.ts'])).toBe('a/b')
  expect(findCommonFolder(['a/b/c.js'])).toBe('a/b')
  expect(findCommonFolder(['a.js', 'b/c.js'])).toBe('')
})

it('knows every entry point of the package: for declarations, or refused', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> }
  const entries = Object.keys(exports).map((name) => name.replace('.', 'edict'))
  const allowed = entries.filter((name) => getRefusal(`import { x } from "${name}"`) === '')
  expect(allowed).toEqual([
    'edict',
    'edict/extend',
    'edict/pagination',
    'edict/conditional',
    'edict/cache',
    'edict/mapper',
    'edict/mapper/extend',
    'edict/rate-limit',
    'edict/idempotency',
    'edict/visibility',
    'edict/sessions',
    'edict/client',
  ])
})
