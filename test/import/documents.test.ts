// Public documents, imported: the application compiles and boots, its own document is valid, and nothing is lost in silence.
import { execFile } from 'node:child_process'
import type { Application } from 'edict'
import { mock } from 'edict/mock'
import { type Credentials, checkApplication } from 'edict/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { isOpenapi, lint } from '../support/documents/judges.ts'
import { runs } from '../support/runs.ts'
import { compareDocuments, untold } from './compare.ts'
import { compiled, documentText, load, type Made, made, removed } from './made.ts'

vi.setConfig({ testTimeout: 240_000 })

const NAMES = ['petstore.yaml', 'realworld.yaml', 'box-2025.json', 'discord.json.gz']
const all = new Map<string, Made>()
for (const name of NAMES) all.set(name, await made(documentText(name), name.replace(/\.gz$/, '')))

afterAll(() => all.forEach(removed))

const each = [...all].map(([name, one]) => ({ name, one }))

// A mock takes any credentials, unless an action gives them.
async function signUp(app: Pick<Application, 'fetch'>): Promise<Record<string, Credentials>> {
  const user = { username: 'ada', email: 'ada@example.com', password: 'secret' }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ user }) }
  const response = await app.fetch(new Request('http://localhost/api/users', init))
  const { token } = response.status === 201 ? (await response.json()).user : { token: 'x' }
  return { somebody: { Authorization: `Bearer ${token}`, api_key: 'x' } }
}

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
    const places = new Set(one.unsupported.map(({ pointer: place }) => place))
    expect(untold(differences, places)).toEqual([])
  })

  it('is compared by a judge that sees every change', async () => {
    const { document } = all.get('petstore.yaml')!
    const changes: ((copy: any) => void)[] = [
      (copy) => delete copy.paths['/pet'].put,
      (copy) => (copy.paths['/pet'].put.summary = 'Other'),
      (copy) => (copy.paths['/pet'].put.operationId = 'other'),
      (copy) => (copy.paths['/pet'].put.tags = ['other']),
      (copy) => (copy.paths['/pet'].put.security = []),
      (copy) => (copy.paths['/pet'].put.requestBody.required = false),
      (copy) => delete copy.paths['/pet'].put.requestBody.content['application/json'],
      (copy) => (copy.paths['/pet/findByStatus'].get.parameters[0].required = true),
      (copy) => (copy.paths['/pet/findByStatus'].get.parameters[0].schema.enum = ['other']),
      (copy) => (copy.paths['/pet/findByTags'].get.parameters[0].explode = false),
      (copy) => delete copy.paths['/pet/{petId}'].get.responses['404'],
      (copy) => (copy.paths['/user/login'].get.responses['200'].headers['X-Rate-Limit'].required = true),
      (copy) => (copy.components.schemas.Pet.required = ['name']),
      (copy) => (copy.components.schemas.Pet.properties.name.maxLength = 4),
      (copy) => (copy.components.schemas.Pet.properties.name.nullable = true),
      (copy) => (copy.components.schemas.Pet.properties.name.type = 'integer'),
      (copy) => delete copy.components.schemas.Tag.properties.name,
      (copy) => (copy.components.schemas.Order.properties.status.enum = ['placed']),
      (copy) => (copy.components.schemas.Order.properties.shipDate.format = 'date'),
      (copy) => (copy.components.schemas.Order.properties.complete.default = true),
    ]
    for (const change of changes) {
      const copy = structuredClone(document)
      change(copy)
      const differences = [compareDocuments(copy, document), compareDocuments(document, copy)].flat()
      const before = compareDocuments(document, document).map((one) => JSON.stringify(one))
      const seen = differences.filter((one) => !before.includes(JSON.stringify(one)))
      expect(seen, String(change)).not.toEqual([])
    }
  })

  it.each(each)('has a valid document: $name', async ({ one }) => {
    expect(await isOpenapi((await load(one)).openapi())).toBe(true)
  })

  it.each(each)('keeps the laws of an API as a mock: $name', async ({ one }) => {
    const quiet = { info() {}, warn() {}, error() {} }
    // A number of requests and no time, so that every machine sends the same ones.
    const { requests } = await checkApplication(mock(await load(one), { logger: quiet }), {
      requests: runs(700, 20_000),
      principals: signUp,
      // A mock takes any credentials.
      except: ['credentials'],
    })
    expect(requests).toBeGreaterThan(0)
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
