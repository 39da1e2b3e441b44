// The report of a campaign, folder by folder, beside the survivors that are accepted with a reason.
import { intervalOf } from './sample.ts'

/** A mutant and what became of it. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly mutator: string
  /** The text that the mutant stands in the place of. */
  readonly original: string
  readonly replacement: string
  readonly status: string
}

/** A survivor that no test can or should notice. It is known by its texts, as lines move. */
export interface Accepted {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly reason: string
}

/** The figures of one folder. */
interface FolderReport {
  readonly folder: string
  readonly killed: number
  readonly timeouts: number
  readonly survived: number
  readonly accepted: number
  readonly percent: number
  /** Where the percentage of all mutants lies with 95 % confidence; of a sample only. */
  readonly interval?: readonly [low: number, high: number]
  readonly survivors: readonly Mutant[]
}

/** The figures of a campaign. */
export interface Report {
  readonly folders: readonly FolderReport[]
  /** Accepted survivors of the files looked at that are none any more. */
  readonly gone: readonly Accepted[]
}

/** The least percentage of mutants that the tests of a folder notice. */
export const BOUND = 92

/** The folder in whose figures a file counts. */
export function folderOf(file: string): string {
  if (file.startsWith('src/plugins/datastores/')) return 'src/plugins/datastores'
  if (/^src\/(adapters|plugins)\//.test(file)) return file.split('/').slice(0, 3).join('/')
  const parts = file.split('/')
  return parts.length === 2 ? 'src' : parts.slice(0, 2).join('/')
}

/** The sources that a campaign looked at. */
export interface Scope {
  readonly files: readonly string[]
  /** Whether only a sample of their mutants was run. */
  readonly sampled?: boolean
}

/** Puts the figures together. */
export function reportOf(mutants: readonly Mutant[], accepted: readonly Accepted[], scope: Scope): Report {
  const byFolder = new Map<string, Mutant[]>()
  for (const one of mutants) {
    const folder = folderOf(one.file)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), one])
  }
  const folders = [...byFolder].map(([folder, those]) => {
    const figures = figuresOf(folder, those, accepted)
    return scope.sampled ? { ...figures, interval: intervalOf(noticedIn(figures), countedIn(figures)) } : figures
  })
  const alive = mutants.filter(isSurvivor)
  // A sample says nothing of an accepted survivor that it did not run.
  const lookedAt = (one: Accepted): boolean =>
    scope.files.includes(one.file) && (!scope.sampled || mutants.some((mutant) => isSame(one, mutant)))
  const gone = accepted.filter((one) => lookedAt(one) && !alive.some((mutant) => isSame(one, mutant)))
  return { folders, gone }
}

function figuresOf(folder: string, mutants: readonly Mutant[], accepted: readonly Accepted[]): FolderReport {
  const count = (status: string): number => mutants.filter((one) => one.status === status).length
  const alive = mutants.filter(isSurvivor)
  const survivors = alive.filter((mutant) => !accepted.some((one) => isSame(one, mutant)))
  // A mutant that the tests cannot even be run with is noticed.
  const [killed, timeouts] = [count('Killed') + count('RuntimeError') + count('CompileError'), count('Timeout')]
  const counted = killed + timeouts + survivors.length
  const percent = counted === 0 ? 100 : (100 * (killed + timeouts)) / counted
  const known = alive.length - survivors.length
  return { folder, killed, timeouts, survived: survivors.length, accepted: known, percent, survivors }
}

type Figures = Pick<FolderReport, 'killed' | 'timeouts' | 'survived'>

const noticedIn = ({ killed, timeouts }: Figures): number => killed + timeouts

const countedIn = (figures: Figures): number => noticedIn(figures) + figures.survived

/** Whether a folder misses the bound; a sample shows that only where its whole interval lies below. */
export const isLow = ({ percent, interval }: Pick<FolderReport, 'percent' | 'interval'>): boolean =>
  (interval?.[1] ?? percent) < BOUND

const isSurvivor = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage'

const isSame = (one: Accepted, mutant: Mutant): boolean =>
  one.file === mutant.file && one.original === mutant.original && one.replacement === mutant.replacement

/** The figures as a table. */
export function tableOf({ folders }: Report): string {
  const sampled = folders.some(({ interval }) => interval !== undefined)
  const head = [
    'folder',
    'killed',
    'timeouts',
    'survived',
    'accepted',
    'percent',
    ...(sampled ? ['95 % interval'] : []),
  ]
  const rows = folders.map(({ folder, killed, timeouts, survived, accepted, percent, interval }) =>
    [folder, killed, timeouts, survived, accepted, percent.toFixed(1), ...shownInterval(interval)].map(String),
  )
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const shownInterval = (interval: FolderReport['interval']): string[] =>
  interval === undefined ? [] : [interval.map((end) => end.toFixed(1)).join(' to ')]
