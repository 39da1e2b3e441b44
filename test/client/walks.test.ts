// Walks over lists go on where an earlier one was, in this process or in another, while rows come and go.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { application } from 'edict'
import { CallError, client } from 'edict/client'
import { paginate, pagination } from 'edict/pagination'
import { testClient } from 'edict/testing'
import { build } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { Books } from './shelf.ts'

/** A shelf whose books change whenever a page of it is read. */
class Shelf {
  readonly ids: Set<number>
  /** Those that were there all the time. */
  readonly stayed: Set<number>
  readonly ever: Set<number>
  onPage = (): void => {}
  readonly app = application({
    plugins: [pagination()],
    controllers: [
      Books.implement({
        index: (_, { request, reply }) => {
          const page = paginate(
            request,
            [...this.ids].map((id) => ({ id })),
          )
          this.onPage()
          return reply.ok(page)
        },
      }),
    ],
  })

  constructor(ids: Iterable<number>) {
    this.ids = new Set(ids)
    this.stayed = new Set(this.ids)
    this.ever = new Set(this.ids)
  }

  add(id: number): void {
    if (this.ever.has(id)) return
    this.ids.add(id)
    this.ever.add(id)
  }

  remove(id: number): void {
    this.ids.delete(id)
    this.stayed.delete(id)
  }

  /** Every book that stayed was given once; no book twice, and none that never was. */
  judge(given: readonly number[]): void {
    expect(given.length, 'a book was given twice').toBe(new Set(given).size)
    expect(given.filter((id) => !this.ever.has(id))).toEqual([])
    const seen = new Set(given)
    expect([...this.stayed].filter((id) => !seen.has(id))).toEqual([])
  }
}

/** A change: this book comes, or goes if it is there. */
const changes = fc.array(fc.nat(400), { maxLength: 12 })

describe('a walk', () => {
  it('[CLT-04] goes on from its saved place, however often it is left and whatever comes and goes', async () => {
    const stop = fc.record({ after: fc.nat(15), changes })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(400), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(stop, { maxLength: 6 }),
        async (ids, items, stops) => {
          const shelf = new Shelf(ids)
          const { index } = testClient(shelf.app, { Books }).Books
          const given: number[] = []
          let from = ''
          for (const { after, changes } of [...stops, { after: Number.POSITIVE_INFINITY, changes: [] }]) {
            const walk = index.all({ pagination: `by=id,items=${items}` }, { from })
            for (let i = 0; i <= after; i++) {
              const { value, done } = await walk.next()
              if (done) break
              given.push(value.id)
              from = walk.cursor
            }
            for (const id of changes) (shelf.ids.has(id) ? shelf.remove : shelf.add).call(shelf, id)
          }
          shelf.judge(given)
        },
      ),
      { numRuns: runs(60, 2000) },
    )
  })

  it('[CLT-04] by pages goes on from the place of each page, over a socket too', async () => {
    const shelf = new Shelf(Array.from({ length: 23 }, (_, i) => i))
    for (const api of [testClient(shelf.app, { Books }), client({ Books }, { baseUrl: await urlOf(shelf.app) })]) {
      const given: number[] = []
      let from = ''
      while (from !== 'end') {
        for await (const page of api.Books.index.pages({ pagination: 'by=id,items=5' }, { from })) {
          given.push(...page.elements.map(({ id }) => id))
          from = page.cursor
          break
        }
      }
      shelf.judge(given)
      expect(await api.Books.index.all({}, { from }).next()).toEqual({ done: true, value: undefined })
    }
  })

  it.each(['http://evil.example/books', '//evil.example/books', 'books', '\\\\evil.example'])(
    '[CLT-03] [CLT-04] does not go on from %s',
    async (from) => {
      const asked: string[] = []
      const fetch = async ({ url }: Request): Promise<Response> => {
        asked.push(url)
        return new Response('[]')
      }
      const api = client({ Books }, { baseUrl: 'http://api.example/base', fetch })
      await expect(api.Books.index.all({}, { from }).next()).rejects.toThrow(CallError)
      expect(asked).toEqual([])
    },
  )

  it('[CLT-04] that is killed goes on in another process, exactly', { timeout: 600_000 }, async () => {
    const rows = runs(300, 100_000)
    const kills = runs(3, 50)
    const items = runs(20, 200)
    const space = rows * 10
    const random = () => Math.floor(Math.random() * space)
    const shelf = new Shelf(Array.from({ length: rows }, random))
    shelf.onPage = () => {
      shelf.add(random())
      const [gone] = [...shelf.ids].slice(0, 500).sort(() => Math.random() - 0.5)
      if (gone !== undefined) shelf.remove(gone)
    }
    const folder = mkdtempSync(join(tmpdir(), 'walk-'))
    const file = join(folder, 'given.txt')
    writeFileSync(file, '')
    const program = join(folder, 'walker.mjs')
    const entry = fileURLToPath(new URL('./walker.ts', import.meta.url))
    await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' })
    const url = await urlOf(shelf.app)
    const walked = (limit: number): Promise<NodeJS.Signals | null> =>
      new Promise((resolve, reject) => {
        const walker = spawn(process.execPath, [program, url, file, String(items), String(limit)], { stdio: 'inherit' })
        walker.once('error', reject)
        walker.once('exit', (code, signal) =>
          code ? reject(new Error(`the walker failed: ${code}`)) : resolve(signal),
        )
      })
    for (let i = 0; i < kills; i++)
      expect(await walked(Math.floor((Math.random() * rows) / (kills + 1)))).toBe('SIGKILL')
    expect(await walked(-1)).toBe(null)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    rmSync(folder, { recursive: true })
    shelf.judge(lines.map((line) => Number(line.split(' ')[0])))
  })
})
