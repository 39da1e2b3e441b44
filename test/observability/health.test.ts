// Liveness and readiness: checks of one's own, bounded and kept, not ready before the start and while draining.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/adapters/node/index.ts'
import { type ApplicationOptions, application, endpoint, type Plugin, route } from '../../src/index.ts'
import { type HealthOptions, health, storeCheck } from '../../src/plugins/health/index.ts'
import { memoryStore } from '../../src/plugins/stores/index.ts'
import { ask, askFetch, askSocket, mistakesOf } from '../support/ask.ts'

const Slow = endpoint('Slow', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })

function made(options: HealthOptions = {}, more: Partial<ApplicationOptions> = {}) {
  const logged: unknown[][] = []
  const log = (fields: object, message: string): void => void logged.push([message, fields])
  let answer = (): void => {}
  const asked = new Promise<void>((begun) => {
    answer = begun
  })
  let release = (_: string): void => {}
  const slow = Slow.implement({
    show: () => {
      answer()
      return new Promise<string>((resolve) => {
        release = resolve
      })
    },
  })
  const app = application({
    controllers: [slow],
    plugins: [health(options), ...(more.plugins ?? [])],
    logger: { info: log, warn: log, error: log },
    ...(({ plugins: _, ...rest }) => rest)(more),
  })
  return { app, logged, asked, release: () => release('done') }
}

describe('readiness', () => {
  it('[OBS-03] is there when everything works, over a socket and through fetch, and shows nothing by itself', async () => {
    const { app } = made({ checks: { database: () => true, store: storeCheck(memoryStore()) } })
    await app.start()
    for (const path of ['/health/ready', '/health/live', '/health/ready?verbose']) {
      const { status, json, headers } = await ask(app, `GET ${path}`)
      expect([status, json, headers['cache-control']]).toEqual([200, { status: 'ok' }, 'no-store'])
      expect((await ask(app, `HEAD ${path}`)).status).toBe(200)
    }
  })

  it('[OBS-03] is not there before the start is done, nor after the end', async () => {
    let started = (): void => {}
    const waiting: Plugin = {
      name: 'waiting',
      start: () =>
        new Promise<void>((resolve) => {
          started = resolve
        }),
    }
    const { app } = made({ details: true }, { plugins: [waiting] })
    const ready = async () => {
      const { status, json } = await askFetch(app, 'GET /health/ready')
      return [status, json.status, json.phase]
    }
    expect(await ready()).toEqual([503, 'unavailable', 'new'])
    const starting = app.start()
    await expect.poll(ready).toEqual([503, 'unavailable', 'starting'])
    started()
    await starting
    expect(await ready()).toEqual([200, 'ok', 'serving'])
    expect((await askFetch(app, 'GET /health/live')).status).toBe(200)
    app.drain()
    expect(await ready()).toEqual([503, 'unavailable', 'draining'])
    expect((await askFetch(app, 'GET /health/live')).status).toBe(200)
    await app.close()
    expect(await ready()).toEqual([503, 'unavailable', 'closed'])
  })

  it('[OBS-03] is gone as soon as serve begins to drain, while old connections are still answered', async () => {
    const { app, asked, release } = made()
    const serving = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false, logger: app.logger })
    const probe = connect(serving.port, '127.0.0.1')
    let text = ''
    probe.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    probe.write('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => text).toContain('"status":"ok"')
    const slow = fetch(`${serving.url}/slow`)
    await asked
    text = ''
    const closing = serving.close()
    probe.write('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => text).toContain('"status":"unavailable"')
    expect(text).toMatch(/^HTTP\/1.1 503 /)
    release()
    expect(await (await slow).text()).toBe('done')
    probe.destroy()
    await closing
  })

  it.each([
    ['throws', () => Promise.reject(new Error('password=hunter2')), 'failed'],
    ['gives false', () => false, 'failed'],
    ['throws at once', () => Object.fromEntries(null as never), 'failed'],
    ['takes too long', () => new Promise(() => {}), 'timeout'],
  ])('[OBS-03] is not there when a check %s; only the log knows why', async (_, check, status) => {
    const options = { checks: { good: () => {}, bad: check }, timeout: 30 }
    const { app, logged } = made(options)
    await app.start()
    const plain = await ask(app, 'GET /health/ready')
    expect([plain.status, plain.text]).toEqual([503, '{"status":"unavailable"}'])
    expect((await ask(app, 'GET /health/live')).status).toBe(200)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toEqual(['A health check failed', expect.objectContaining({ check: 'bad', status })])
    const { app: open } = made({ ...options, details: true })
    await open.start()
    const { json, text } = await askFetch(open, 'GET /health/ready')
    expect(json.checks).toMatchObject({ good: { status: 'ok' }, bad: { status } })
    expect(text).not.toContain('hunter2')
  })

  it('[OBS-03] shows details only to those who may see them', async () => {
    const seen = (options: NonNullable<HealthOptions['details']>) =>
      made({ checks: { one: () => {} }, details: options })
    const { app } = seen(({ headers }) => headers['x-probe'] === 'mine')
    await app.start()
    expect((await ask(app, 'GET /health/ready')).json).toEqual({ status: 'ok' })
    const { json } = await ask(app, 'GET /health/ready', { headers: { 'X-Probe': 'mine' } })
    expect(json).toMatchObject({ status: 'ok', phase: 'serving', checks: { one: { status: 'ok' } } })
    const { app: broken } = seen(() => Promise.reject(new Error('no')))
    await broken.start()
    expect((await ask(broken, 'GET /health/ready')).json).toEqual({ status: 'ok' })
  })
})

describe('checks', () => {
  it('[OBS-03] run once for a flood of probes, and again when their result is old', async () => {
    let calls = 0
    const { app } = made({ checks: { one: () => void calls++ }, keep: 60_000 })
    await app.start()
    await Promise.all(Array.from({ length: 100 }, () => askFetch(app, 'GET /health/ready')))
    for (let n = 0; n < 5; n++) await askSocket(app, 'GET /health/ready')
    expect(calls).toBe(1)
    const { app: fresh } = made({ checks: { one: { check: () => void calls++, keep: 0 } } })
    await fresh.start()
    for (let n = 0; n < 3; n++) await askFetch(fresh, 'GET /health/ready')
    expect(calls).toBe(4)
  })

  it('[OBS-03] that hang are not piled up, are informed that their time is over, and are begun again later', async () => {
    const signals: AbortSignal[] = []
    const check = (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const { app } = made({ checks: { one: { check, timeout: 20, keep: 0 } } })
    await app.start()
    const status = async () => (await askFetch(app, 'GET /health/ready')).status
    for (let n = 0; n < 4; n++) expect(await status()).toBe(503)
    expect(signals).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(true)
    await expect.poll(async () => [await status(), signals.length]).toEqual([503, 2])
  })

  it('[OBS-03] work again when what they ask does, and the log says so', async () => {
    let works = false
    const { app, logged } = made({ checks: { one: () => works }, keep: 0 })
    await app.start()
    const status = async () => (await askFetch(app, 'GET /health/ready')).status
    expect([await status(), await status()]).toEqual([503, 503])
    works = true
    expect([await status(), await status()]).toEqual([200, 200])
    expect(logged.map(([message]) => message)).toEqual(['A health check failed', 'A health check works again'])
  })

  it('[OBS-03] of liveness decide whether the process is kept', async () => {
    const { app } = made({ liveChecks: { loop: () => false } })
    await app.start()
    expect((await ask(app, 'GET /health/live')).status).toBe(503)
    expect((await ask(app, 'GET /health/ready')).status).toBe(200)
  })
})

describe('the paths', () => {
  it('[OBS-03] can be changed, left out, and described', async () => {
    const { app } = made({ live: '/livez', ready: false, documented: true }, { basePath: '/api' })
    await app.start()
    expect((await ask(app, 'GET /api/livez')).status).toBe(200)
    expect((await ask(app, 'GET /api/health/ready')).status).toBe(404)
    const paths = Object.keys((app.openapi() as any).paths)
    expect(paths).toEqual(['/slow', '/livez'])
    expect(Object.keys((made().app.openapi() as any).paths)).toEqual(['/slow'])
  })

  it('are refused when they are none, as are other settings', () => {
    const options = { live: 'no', timeout: 0, checks: { one: 1 }, other: true } as never
    const mistakes = mistakesOf(() => made(options))
    expect(mistakes.map(({ setting }) => setting)).toEqual([
      'health.other',
      'health.live',
      'health.checks.one',
      'health.timeout',
    ])
  })
})
