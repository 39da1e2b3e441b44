// Public documents, imported: the application compiles and boots, its own document is valid, and nothing is lost in silence.
import { execFile } from 'node:child_process'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { isOpenapi, lint } from '../support/documents/judges.ts'
import { compareDocuments, untold } from './compare.ts'
import { compiled, documentText, load, type Made, made, removed } from './made.ts'

vi.setConfig({ testTimeout: 240_000 })

const NAMES = ['petstore.yaml', 'realworld.yaml', 'box-2025.json', 'discord.json.gz']
const all = new Map<string, Made>()
for (const name of NAMES) all.set(name, await made(documentText(name), name.replace(/\.gz$/, '')))

afterAll(() => all.forEach(removed))

const each = [...all].map(([name, one]) => ({ name, one }))

describe('an imported document', () => {
  it('compiles', async () => {
    expect(await compiled([...all.values()].map(({ folder }) => folder))).toBe('')
  })

  it.each(each)('has every operation of $name', async ({ one }) => {
    const app = await load(one)
    const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
    const count = Object.values<any>(one.document['paths'])
      .flatMap((item) => Object.keys(item))
      .filter((verb) => verbs.includes(verb)).length
    expect(app.endpoints.reduce((sum, { actions }) => sum + actions.size, 0)).toBe(count)
    expect(one.actions).toBe(count)
  })

  it.each(each)('differs from $name only in what is listed', async ({ one }) => {
    const differences = compareDocuments(one.document, (await load(one)).openapi() as never)
    const places = new Set(one.unsaid.map(({ place }) => place))
    expect(untold(differences, places)).toEqual([])
  })

  it.each(each)('has a valid document: $name', async ({ one }) => {
    expect(await isOpenapi((await load(one)).openapi())).toBe(true)
  })

  it('passes the linter of others', async () => {
    const documents = await Promise.all(
      each.map(async ({ name, one }) => [name.replace(/\W/g, '-'), (await load(one)).openapi()]),
    )
    expect(await lint(Object.fromEntries(documents))).toEqual([])
  })

  it.each(each)('is formatted: $name', async ({ one }) => {
    const args = [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--vcs-enabled=false',
      '--linter-enabled=false',
      '--files-max-size=4000000',
      one.folder,
    ]
    const output = await new Promise<string>((done) => {
      execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, out, err) => done(error ? `${out}${err}` : ''))
    })
    expect(output).toBe('')
  })
})
