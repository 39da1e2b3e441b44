// A campaign: random applications, contradictions and real APIs under all laws, for so many of them or for so long.
import fc from 'fast-check'
import { contradict } from './contradictions.ts'
import { apis } from './declarations/api.ts'
import { Draw } from './draw.ts'
import { emptyTally, explore, type Tally, type Tampering } from './explore.ts'
import { exploreReal } from './requests/real.ts'
import { exploreSurfaces } from './requests/surfaces.ts'

/** How much is tried, from which seed. */
export interface Campaign {
  readonly seed: number
  /** How many applications, if time does not end it. */
  readonly declarations: number
  /** How many requests to each of them. */
  readonly requests: number
  /** About how many requests to each real API; that of conventions and streams gets twice as many. */
  readonly documents: number
  /** Milliseconds after which no application is begun. */
  readonly time?: number
  /** Where a failure was, to see it again at once. */
  readonly path?: string | undefined
}

/** The campaign of every test run. */
export const USUAL: Omit<Campaign, 'seed'> = { declarations: 125, requests: 400, documents: 1500 }

/** The requests of a tally. */
export const requestsIn = ({ valid, flawed, odd, sockets, calls, lists }: Tally): number =>
  valid + flawed + odd + sockets + calls + lists

/** Says in a line what was tried. */
export const summary = (tally: Tally): string =>
  `${requestsIn(tally)} requests to ${tally.declarations} random applications and 3 real ones: ${Object.entries(tally)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}`

const ON_SOCKET = 12

/** Tries random applications; throws with the failing one, and with what to type to see it again, made smaller. */
export async function exploreApis(campaign: Campaign, tally: Tally, tampering?: Tampering): Promise<void> {
  const { seed, declarations, requests, time, path } = campaign
  let count = 0
  const property = fc.asyncProperty(apis, fc.integer(), (spec, drawn) =>
    explore(spec, { seed: drawn, requests, socket: count++ % ON_SOCKET === 0 }, tally, tampering),
  )
  const details = await fc.check(property, {
    seed,
    numRuns: declarations,
    ...(path !== undefined && { path }),
    ...(time !== undefined && { interruptAfterTimeLimit: time, markInterruptAsFailure: false }),
    // Making an application smaller takes minutes: it is done when a failure is looked at again.
    endOnFailure: path === undefined,
  })
  // A machine that is too busy for a single application within the time has found nothing.
  if (!details.failed || (details.interrupted && details.counterexample === null)) return
  const [spec] = details.counterexample ?? []
  const error = details.errorInstance as Error | undefined
  const again = `npm run campaign -- fuzz --seed ${details.seed} --path ${details.counterexamplePath}`
  throw new Error(`${error?.message}\nin ${JSON.stringify(spec)}\nTo see it again: ${again}`, { cause: error })
}

/** Runs a whole campaign and returns what was tried. */
export async function runCampaign(campaign: Campaign): Promise<Tally> {
  const tally = emptyTally()
  const begun = Date.now()
  contradict(new Draw(campaign.seed), tally)
  await exploreReal(campaign.seed, campaign.documents, tally)
  await exploreSurfaces(new Draw(campaign.seed), campaign.documents * 2, tally)
  const left = campaign.time === undefined ? {} : { time: Math.max(1, campaign.time - (Date.now() - begun)) }
  await exploreApis({ ...campaign, ...left }, tally)
  return tally
}
