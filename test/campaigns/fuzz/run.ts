// `npm run campaign -- fuzz`: the usual campaign from a new seed; `--minutes 10` for longer, `--seed 7` to see one again.
import { parseArgs } from 'node:util'
import { Session } from '../../support/guard/session.ts'
import { runCampaign, summary, USUAL } from './campaign.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' } },
})
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const long =
  minutes === undefined ? {} : { declarations: 1_000_000_000, documents: 5000 * minutes, time: minutes * 60_000 }
const begun = Date.now()
const guard = new Session()
guard.begin()
console.log(`Seed ${seed}`)
try {
  const tally = await runCampaign({ ...USUAL, ...long, seed, path: values.path })
  const found = guard.take()
  if (guard.judged === 0)
    throw new Error(
      'No answer was judged. Remedy: run it as npm run campaign -- fuzz, which loads test/support/guard/preload.js.',
    )
  if (found.length > 0)
    throw new Error(
      `Answers do not fit their documents:\n${found
        .slice(0, 20)
        .map(({ text }) => text)
        .join('\n')}`,
    )
  console.log(
    `${summary(tally)}, ${guard.judged} answers fit their documents, in ${((Date.now() - begun) / 1000).toFixed(1)} s`,
  )
} catch (error) {
  console.error(`${(error as Error).message}\nSeed ${seed}`)
  process.exitCode = 1
} finally {
  guard.end()
}
