// The number of generated cases of a test: few in every run, most in the campaign of laws (`npm run campaign -- laws`).

/** Whether this is the campaign of laws, which takes its time. */
export const isLong: boolean = process.env['EDICT_LONG'] !== undefined

/** The number of cases for this run. */
export function runs(usual: number, long: number): number {
  return isLong ? long : usual
}
