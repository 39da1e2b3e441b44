// Documents of edict, imported: the new application has the same document, up to names and examples.
import { DefinitionError } from 'edict'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import { definitions } from '../support/documents/random.ts'
import { stub } from '../support/documents/stubs.ts'
import { runs } from '../support/runs.ts'
import { compareDocuments, untold } from './compare.ts'
import { compiled, load, type Made, made, removed } from './made.ts'

vi.setConfig({ testTimeout: 300_000 })

const folders: Made[] = []
afterAll(() => folders.forEach(removed))

async function again(document: object): Promise<Made> {
  const one = await made(JSON.stringify(document), 'openapi.json')
  folders.push(one)
  return one
}

async function lost(one: Made): Promise<unknown[]> {
  const differences = compareDocuments(one.document, (await load(one)).openapi() as never)
  return untold(differences, new Set(one.unsupported.map(({ pointer: place }) => place)))
}

describe('a document of edict', () => {
  it('of the example is imported with all that it says', async () => {
    const app = blogApi(openDatabase())
    const all = await Promise.all(app.versions.map((version) => again(app.openapi(version))))
    expect(await compiled(all.map(({ folder }) => folder))).toBe('')
    for (const one of all) expect(await lost(one)).toEqual([])
  })

  it('of any API is imported with all that it says', async () => {
    const some = fc.sample(definitions, { numRuns: runs(25, 300), seed: 11 })
    const all: Made[] = []
    for (const one of some) {
      try {
        const { app } = stub(one)
        for (const version of app.versions) all.push(await again(app.openapi(version)))
      } catch (error) {
        // Routes that no request can tell apart are refused.
        if (!(error instanceof DefinitionError)) throw error
      }
    }
    expect(all.length).toBeGreaterThan(some.length / 2)
    expect(await compiled(all.map(({ folder }) => folder))).toBe('')
    for (const one of all) expect(await lost(one), one.folder).toEqual([])
  })
})
