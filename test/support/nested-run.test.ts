import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentOfNestedRun } from './nested-run.ts'

it('runs a file that the run around it leaves out', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'edict-nested-'))
  const file = 'src/util/suggest-name.test.ts'
  try {
    const list = join(folder, 'left-out.json')
    writeFileSync(list, JSON.stringify([file]))
    const around = { ...process.env, EDICT_LEFT_OUT: list }
    const run = (env: NodeJS.ProcessEnv): number | null => {
      const args = ['node_modules/vitest/vitest.mjs', 'list', file, '--filesOnly', '--typecheck=false', '--json']
      const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
      expect(status).toBe(0)
      return JSON.parse(stdout.slice(stdout.indexOf('['))).length
    }
    expect(run({ ...environmentOfNestedRun(), EDICT_LEFT_OUT: list })).toBe(0)
    expect(run(environmentOfNestedRun(around))).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('keeps what is not of the run around it', () => {
  const environment = {
    PATH: '/bin',
    CI: 'true',
    EDICT_LONG: '1',
    VITEST_WORKER_ID: '1',
    TEST: 'true',
    EDICT_PROVED: 'x',
  }
  expect(environmentOfNestedRun(environment)).toEqual({ PATH: '/bin', CI: 'true', EDICT_LONG: '1' })
})
