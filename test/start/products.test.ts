// Every combination of choices of `edict new` is generated, complete, formatted and compiled.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProjectFiles, listParts } from '../../src/cli/templates/project.ts'
import { combinations, compile, installAll, nameOf, write } from './combinations.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'edict-products-'))
const own = JSON.parse(readFileSync('package.json', 'utf8'))
const filesOf = (chosen: (typeof combinations)[number]) => createProjectFiles('library', '0.1.0', chosen)
// The other files have no types.
const typed = combinations.filter(({ docker, ci }) => !docker && !ci)

beforeAll(() => {
  installAll(root)
  for (const chosen of typed) write(root, nameOf(chosen), filesOf(chosen))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('every combination', () => {
  it('is one of 288', () => expect(new Set(combinations.map(nameOf)).size).toBe(288))

  it('has files without gaps, and exact versions that were tested', () => {
    for (const chosen of combinations) {
      const files = filesOf(chosen)
      expect(Object.values(files).filter((text) => /\{\{\w+\}\}|["'`/]undefined/.test(text))).toEqual([])
      const { dependencies, devDependencies, scripts } = JSON.parse(files['package.json'] as string)
      const { edict, ...others } = { ...dependencies, ...devDependencies }
      expect(edict).toBe('0.1.0')
      for (const [name, version] of Object.entries(others))
        expect([name, version]).toEqual([name, own.devDependencies[name]])
      expect(scripts.start).toBe('node --import tsx src/server.ts')
    }
  })

  it('has one source for each file', () => {
    const filesOfPart = new Map<string, readonly string[]>()
    for (const part of new Set(combinations.flatMap(listParts))) {
      const entries = readdirSync(join('templates/project', part), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      filesOfPart.set(
        part,
        files.map(({ parentPath, name }) => relative(join('templates/project', part), join(parentPath, name))),
      )
    }
    for (const chosen of combinations) {
      const seen = new Map<string, string>()
      for (const part of listParts(chosen)) {
        for (const file of filesOfPart.get(part) as readonly string[]) {
          expect([nameOf(chosen), file, seen.get(file)]).toEqual([nameOf(chosen), file, undefined])
          seen.set(file, part)
        }
      }
    }
  })

  it('compiles', () => {
    const options = JSON.parse(filesOf(combinations[0]!)['tsconfig.json'] as string)
    const including = (folder: string): void => {
      const include = ['src', 'test', 'migrations'].map((name) => `${folder}/${name}`)
      writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ ...options, include }))
    }
    including('*')
    expect(compile(root)).toBe('')
    // And would not if something were wrong.
    including('sqlite-drizzle-none-node')
    writeFileSync(
      join(root, 'sqlite-drizzle-none-node/src/wrong.ts'),
      "import { app } from './app.ts'\napp.nothing()\n",
    )
    expect(compile(root)).toContain("Property 'nothing' does not exist")
    rmSync(join(root, 'sqlite-drizzle-none-node/src/wrong.ts'))
  })

  it('is formatted, and its imports are sorted', () => {
    const { formatter, javascript, assist } = JSON.parse(readFileSync('biome.json', 'utf8'))
    const settings = {
      root: true,
      formatter,
      javascript,
      assist,
      linter: { enabled: true, rules: { complexity: { useLiteralKeys: 'off' } } },
    }
    writeFileSync(
      join(root, 'biome.json'),
      JSON.stringify({
        ...settings,
        files: { includes: ['**', '!node_modules', '!**/*.json'] },
      }),
    )
    const { status, stdout, stderr } = spawnSync(resolve('node_modules/.bin/biome'), ['check', ...typed.map(nameOf)], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  })
})
