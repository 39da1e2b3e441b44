// Conduit: the published behaviour of the API, and what its lists cost.
import { describe, expect, it } from 'vitest'
import { conduitApi } from '../../examples/conduit/api.ts'
import { openDatabase } from '../../examples/conduit/database.ts'
import { askFetch, urlOf } from '../support/ask.ts'
import { checks } from './conduit/checks.ts'
import { runChecks } from './conduit/run.ts'

describe('Conduit', () => {
  it('has at least a hundred checks, each with a name of its own', () => {
    expect(checks.length).toBeGreaterThanOrEqual(100)
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  })

  it('behaves as published', async () => {
    const app = conduitApi(await openDatabase())
    expect(Object.fromEntries(await runChecks(`${await urlOf(app)}/api`))).toEqual({})
  })

  it('sends no more statements for more rows', async () => {
    const db = await openDatabase()
    const app = conduitApi(db)
    let statements = 0
    const execute = db.$client.execute.bind(db.$client)
    Object.assign(db.$client, {
      execute: (...args: Parameters<typeof execute>) => {
        statements++
        return execute(...args)
      },
    })
    const send = async (line: string, headers: Record<string, string>, body?: object) => {
      const { status, json } = await askFetch(app, line, { headers, ...(body && { body }) })
      expect(status, line).toBeLessThan(300)
      return json
    }
    const register = async (name: string) => {
      const user = { username: name, email: `${name}@example.com`, password: 'x' }
      return { authorization: `Token ${(await send('POST /api/users', {}, { user })).user.token}` }
    }
    const reader = await register('reader')
    const lists = ['/api/articles', '/api/articles/feed', '/api/articles?tag=news&favorited=reader', '/api/tags']
    const countStatements = async () => {
      const counts: number[] = []
      for (const path of [...lists, `/api/articles/${slug}`, `/api/articles/${slug}/comments`]) {
        statements = 0
        await send(`GET ${path}`, reader)
        counts.push(statements)
      }
      return counts
    }
    const write = async (name: string) => {
      const author = await register(name)
      const article = { title: name, description: 'x', body: 'x', tagList: ['news', name] }
      const { slug } = (await send('POST /api/articles', author, { article })).article
      await send(`POST /api/articles/${slug}/favorite`, reader)
      await send(`POST /api/profiles/${name}/follow`, reader)
      return slug as string
    }
    const slug = await write('first')
    await send(`POST /api/articles/${slug}/comments`, reader, { comment: { body: 'x' } })
    // The first request learns how the database compares texts.
    await countStatements()
    const few = await countStatements()
    for (const name of ['second', 'third', 'fourth']) {
      await write(name)
      await send(`POST /api/articles/${slug}/comments`, await register(`reader of ${name}`), { comment: { body: 'x' } })
    }
    expect((await send('GET /api/articles/feed', reader)).articles).toHaveLength(4)
    expect(await countStatements()).toEqual(few)
    expect(Math.max(...few)).toBeLessThanOrEqual(8)
  })
})
