// How much a compiler works before an editor gets its answer about one file, counted: the milliseconds of a machine are
// what `npm run bench -- editor` tells.
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import ts from 'typescript-5.9'
import { beforeAll, describe, expect, it } from 'vitest'
import { depotApi } from '../../scripts/types/depot-api.ts'
import { writeProject } from '../../scripts/types/project.ts'
import { isLong } from '../support/runs.ts'

/**
 * The work that takes TypeScript 5.9 about 300 milliseconds on the machine that the aim was set on. Controllers are the most:
 * payloads look for what inherits within their envelopes.
 */
const MOST = 25_200
const files = ['client/rack8.ts', 'controllers/rack8.ts', 'design/rack8.ts'] as const
const counts = new Map<string, number>()

/** The instantiations after a question about one file; each question has a checker of its own, as after an edit. */
function countAll(endpoints: number): void {
  const folder = `.cache/editor/waiting-${endpoints}`
  writeProject(folder, depotApi(endpoints), { declaration: false })
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile)
  const { fileNames: rootNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  let oldProgram = ts.createProgram({ rootNames, options })
  for (const file of files) {
    const program = ts.createProgram({ rootNames, options, oldProgram })
    expect(program.getSemanticDiagnostics(program.getSourceFile(resolve(folder, file))!)).toEqual([])
    counts.set(`${file} ${endpoints}`, program.getInstantiationCount())
    oldProgram = program
  }
}

beforeAll(() => {
  countAll(10)
  countAll(30)
}, 240_000)

describe('the errors of one file', () => {
  for (const file of files) {
    it(`[EDT-05] take as much work in a large API as in a small one: ${file}`, () => {
      const [small, large] = [counts.get(`${file} 10`)!, counts.get(`${file} 30`)!]
      console.log(`${file}: ${small} instantiations among 10 endpoints, ${large} among 30`)
      expect(small).toBeGreaterThan(1000)
      expect(large).toBeLessThanOrEqual(small * 1.05)
      expect(large).toBeLessThanOrEqual(MOST)
    })
  }
})

// It takes half a minute, and none of it is about edict: for the campaign of laws.
if (isLong)
  describe('the benchmark of editors', () => {
    it('[EDT-05] asks about a client file and a controller after each edit, and tells what an editor waits', () => {
      const node = (...args: string[]): string =>
        execFileSync(process.execPath, ['--import', 'tsx', ...args], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      node('scripts/built.ts')
      const rows = node('bench/editor/run.ts', '--quick', '--only', '5.9').split('\n')
      const told = rows.map((row) => /^\| (client|controller): [\w ]+ \| the [\w ]+ \| \d+ \| \d+ \|/.exec(row)?.[1])
      expect(told.filter((one) => one === 'client').length).toBe(10)
      expect(told.filter((one) => one === 'controller').length).toBe(10)
    }, 240_000)
  })
