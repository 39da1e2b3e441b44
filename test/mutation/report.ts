// What a campaign found, folder by folder, beside the survivors that are accepted with a reason.

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
  if (file.startsWith('src/mapper/datastores/')) return 'src/mapper/datastores'
  if (file.startsWith('src/adapters/')) return file.split('/').slice(0, 3).join('/')
  const parts = file.split('/')
  return parts.length === 2 ? 'src' : parts.slice(0, 2).join('/')
}

/** Puts the figures together; `files` are those that were looked at. */
export function reportOf(mutants: readonly Mutant[], accepted: readonly Accepted[], files: readonly string[]): Report {
  const byFolder = new Map<string, Mutant[]>()
  for (const one of mutants) {
    const folder = folderOf(one.file)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), one])
  }
  const folders = [...byFolder].map(([folder, those]) => figuresOf(folder, those, accepted))
  const alive = mutants.filter(isSurvivor)
  const gone = accepted.filter((one) => files.includes(one.file) && !alive.some((mutant) => isSame(one, mutant)))
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

const isSurvivor = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage'

const isSame = (one: Accepted, mutant: Mutant): boolean =>
  one.file === mutant.file && one.original === mutant.original && one.replacement === mutant.replacement

/** The figures as a table. */
export function tableOf({ folders }: Report): string {
  const head = ['folder', 'killed', 'timeouts', 'survived', 'accepted', 'percent']
  const rows = folders.map(({ folder, killed, timeouts, survived, accepted, percent }) =>
    [folder, killed, timeouts, survived, accepted, percent.toFixed(1)].map(String),
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
