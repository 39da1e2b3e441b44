// How many generated cases a test tries: few at a desk, more in CI, most in the campaign of laws (`npm run campaign -- laws`).
import { inCi } from '../../scripts/machine.ts'

/** Whether this is the campaign of laws, which takes its time. */
export const isLong: boolean = process.env['EDICT_LONG'] !== undefined

/** The number of cases for this run; `long` is that of CI unless it is given. */
export function runs(desk: number, ci: number, long: number = ci): number {
  if (isLong) return long
  return inCi ? ci : desk
}
