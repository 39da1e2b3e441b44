// The tutorial is true: every step starts and answers what the page says, its code is that of the page, and its tests pass.
// The pages at the front door lead only to what exists.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatDifference, type Page } from '../../scripts/snippets.ts'
import { checkTutorial, listStepFolders } from '../../scripts/tutorial.ts'

const root = new URL('../..', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8')

describe('the tutorial', () => {
  let page: Page

  beforeAll(async () => {
    page = await checkTutorial()
  }, 60_000)

  it('shows what the files of its steps hold, and what their servers answer', () => {
    expect(page.problems).toEqual([])
    expect(formatDifference(page.before, page.after)).toBe('')
  })

  it('asks every step something', () => {
    const asked = [...page.before.matchAll(/^```console (step-\d+)#/gm)].map(([, step]) => step)
    expect([...new Set(asked)]).toEqual(listStepFolders())
  })

  it('names every file of every step', () => {
    const files = listStepFolders().flatMap((step) =>
      readdirSync(new URL(`docs/tutorial/${step}`, root)).map((name) => `${step}/${name}`),
    )
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((name) => !page.before.includes(`(${name})`))).toEqual([])
  })

  it('has tests of its own, which pass', () => {
    const file = 'docs/tutorial/step-6/library.test.ts'
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--test', file], { encoding: 'utf8' })
    expect(status, stdout).toBe(0)
    expect(stdout).toMatch(/pass 2\b/)
  }, 30_000)
})

describe('the pages at the front door', () => {
  it.each(['README.md', 'docs/README.md', 'docs/comparison.md', 'docs/tutorial/README.md'])('%s: links', (file) => {
    const at = new URL(file, root)
    const targets = [...textOf(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = targets.filter(([, path, place]) => {
      const target = new URL(path === '' ? at : (path as string), at)
      return !existsSync(target) || (place !== undefined && !placesOf(target).includes(place))
    })
    expect(targets.length).toBeGreaterThan(3)
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

/** The places of a page that a link may name: its headings, as they are written in addresses. */
function placesOf(page: URL): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
