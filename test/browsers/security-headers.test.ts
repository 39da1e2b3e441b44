// Security headers stand in every answer, and each can be changed or left out.
import { expect, it } from 'vitest'
import { application, endpoint, route } from '../../src/index.ts'
import { docs } from '../../src/plugins/docs/index.ts'
import { type SecurityHeaders, securityHeaders } from '../../src/plugins/security-headers/index.ts'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

const Things = endpoint('Things', {
  actions: {
    show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    page: { routing: route.get('/page'), responses: { ok: 'text/html' } },
    fail: { routing: route.get('/fail'), responses: { ok: 'text/plain' } },
  },
})

const served = (options?: SecurityHeaders) =>
  application({
    logger: recorder(),
    controllers: [
      Things.implement({
        show: () => 'a',
        page: (_, { reply }) => reply.ok('<p>', { headers: { 'content-security-policy': "default-src 'self'" } }),
        fail: () => {
          throw new Error('broken')
        },
      }),
    ],
    plugins: [docs(), securityHeaders(options)],
  })

const USUAL = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-permitted-cross-domain-policies': 'none',
}

it.each([
  'GET /things',
  'HEAD /things',
  'GET /things/fail',
  'GET /nowhere',
  'PUT /things',
  'OPTIONS /things',
  'GET /things?x=1',
])('[HDS-01] %s has them all, each once', async (line) => {
  expect((await ask(served(), line)).headers).toMatchObject(USUAL)
})

it('[HDS-01] a header of an action takes its place, so that pages work', async () => {
  expect((await ask(served(), 'GET /things/page')).headers['content-security-policy']).toBe("default-src 'self'")
  const page = await askFetch(served(), 'GET /docs')
  expect(page.headers['content-security-policy']).toContain('script-src')
})

it('[HDS-01] each can be changed', async () => {
  for (const name of Object.keys(USUAL)) {
    const option = optionOf(name)
    const { headers } = await ask(served({ [option]: 'other' }), 'GET /things')
    expect(headers).toMatchObject({ ...USUAL, [name]: 'other' })
  }
})

it('[HDS-01] each can be left out', async () => {
  for (const name of Object.keys(USUAL)) {
    const { headers } = await ask(served({ [optionOf(name)]: false }), 'GET /things')
    const { [name as 'x-frame-options']: _, ...rest } = USUAL
    expect(headers).toMatchObject(rest)
    expect(headers).not.toHaveProperty(name)
  }
})

it('[HDS-01] refuses what no header can carry, and unknown names', () => {
  for (const frameOptions of ['a\nb', '', 'ä', true, 5, null, ['DENY']]) {
    const mistakes = mistakesOf(() => served({ frameOptions } as never))
    expect(mistakes, JSON.stringify(frameOptions)).toHaveLength(1)
    expect(`${mistakes[0]?.setting} ${mistakes[0]?.remedy}`).toMatch(/frameOptions.*a text that a header can carry/)
  }
  expect(mistakesOf(() => served({ frameOption: false } as never))[0]?.remedy).toContain('frameOptions')
})

const optionOf = (name: string): string =>
  name.replace(/^x-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
