// Features that tenants book: refused without, documented, in the contract, typed in actions, and open in a mock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, controller, diffContracts, endpoint, route, t } from 'edict'
import { client } from 'edict/client'
import { mock } from 'edict/mock'
import { checkApplication } from 'edict/testing'
import { booked, featureGates, type GateOptions, type Tenant } from '../src/index.js'
import { served } from './served.js'

const Reports = (feature: string) =>
  endpoint('Reports', {
    actionDefaults: { policies: [booked(feature)] },
    actions: {
      show: {
        routing: route.get('/:id'),
        params: { id: t.integer({ min: 1 }) },
        responses: { ok: t.object({ id: t.integer({ required: true }), tenant: t.string({ required: true }) }) },
      },
    },
  })
const Gated = Reports('reports')
const reports = controller(Gated, { show: ({ id }, { reply, tenant }) => reply.ok({ id, tenant: tenant.id }) })

const tenants = new Map<string, Tenant>([
  ['ada', { id: 'ada', features: { reports: null } }],
  ['alan', { id: 'alan', features: { reports: new Date('2026-01-04T12:00:00Z') } }],
  ['grace', { id: 'grace', features: {} }],
  ['proto', { id: 'proto', features: Object.create({ reports: null }) as {} }],
])
const plugin = (more: Partial<GateOptions> = {}) =>
  featureGates({
    find: (id) => tenants.get(id),
    features: ['reports', 'exports'],
    now: () => new Date('2026-01-02T00:00:00Z'),
    ...more,
  })

void test('a feature is for those who booked it', () =>
  served({ controllers: [reports], plugins: [plugin()] }, async (url, app) => {
    const seen: unknown[] = []
    for (const tenant of [...tenants.keys(), 'nobody', 'x'.repeat(41)]) {
      const api = client({ Gated }, { baseUrl: url, headers: { 'X-Tenant': tenant }, attempts: 1 })
      const answer = await api.Gated.show({ id: 7 })
      const told = answer.name === 'ok' ? answer.body.tenant : answer.problem?.code
      seen.push([answer.status, told, answer.headers.get('X-Trial-Days')])
    }
    assert.deepEqual(seen, [
      [200, 'ada', null],
      [200, 'alan', '3'],
      [402, 'gate-not-booked', null],
      [402, 'gate-not-booked', null],
      [403, 'gate-unknown-tenant', null],
      [403, 'gate-unknown-tenant', null],
    ])
    const bare = await fetch(`${url}/reports/7`)
    assert.deepEqual([bare.status, ((await bare.json()) as { code: string }).code], [400, 'validation'])
    const operation = app.openapi().paths['/reports/{id}']?.['get'] as object as {
      readonly 'x-booked': string
      readonly parameters: readonly { readonly name: string; readonly required?: boolean }[]
      readonly responses: Readonly<Record<string, { readonly headers?: object }>>
    }
    assert.equal(operation['x-booked'], 'reports')
    assert.ok(operation.parameters.some(({ name, required }) => name === 'X-Tenant' && required === true))
    assert.deepEqual(Object.keys(operation.responses).slice(0, 4), ['200', '400', '402', '403'])
    assert.ok('X-Trial-Days' in (operation.responses['200']?.headers ?? {}))
  }))

void test('its declaration is checked, part of the contract, and open in a mock', async () => {
  const misnamed = controller(Reports('report'), { show: ({ id }, { reply }) => reply.ok({ id, tenant: '' }) })
  const boot = (given: Partial<GateOptions>, one = reports) =>
    application({ controllers: [one], plugins: [plugin(given)] })
  assert.throws(() => boot({}, misnamed), /booked names 'report', which is no feature\. Remedy: name one of reports/)
  assert.throws(() => boot({ features: 'reports' as never }), /featureGates\.features.* it is 'reports'/s)
  assert.throws(() => application({ controllers: [reports] }), /feature-gates/)

  const exporting = controller(Reports('exports'), { show: ({ id }, { reply }) => reply.ok({ id, tenant: '' }) })
  const changes = diffContracts(boot({}).contract(), boot({}, exporting).contract())
  assert.match(JSON.stringify(changes), /feature/)

  const mocked = client({ Gated }, { baseUrl: 'http://mock', fetch: mock([Gated]).fetch, attempts: 1 })
  assert.equal((await mocked.Gated.show({ id: 7 }, { headers: { 'X-Tenant': 'anyone' } })).status, 200)
  assert.equal((await mocked.Gated.show({ id: 7 }, { headers: { 'X-Tenant': 'x'.repeat(41) } })).status, 400)
})

void test('responses are those of the documents', async () => {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  await checkApplication(() => application({ controllers: [reports], plugins: [plugin()], logger: quiet }))
})
