// Accepted survivors: each has its text in its source still, and a reason.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Accepted } from './report.ts'

const accepted = JSON.parse(readFileSync(new URL('./survivors.json', import.meta.url), 'utf8')) as Accepted[]

it.each(accepted)('$file: $original', ({ file, original, reason }) => {
  expect(existsSync(file), file).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain(original)
  expect(reason).toMatch(/^[A-Z].*\.$/)
})
