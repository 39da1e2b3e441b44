// Which mutants a sampled campaign runs, and how far its figure may lie from that of all mutants.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from '@stryker-mutator/api/core'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A mutant, by what tells it from every other. */
export interface Sampled {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly mutator: string
  readonly replacement: string
}

/** A mutant as Stryker knows it, with its file named from the root of the repository. */
export const sampledOf = ({ fileName, location, mutatorName, replacement }: Found): Sampled => ({
  file: fileName.startsWith('/') ? relative(ROOT, fileName) : fileName,
  line: location.start.line,
  column: location.start.column,
  mutator: mutatorName,
  replacement: replacement ?? '',
})

type Found = Pick<Mutant, 'fileName' | 'location' | 'mutatorName'> & { readonly replacement?: string }

/**
 * Whether a mutant belongs to the sample of a share, from 0 to 1. The same source always gives the same sample, and a larger
 * share holds every mutant of a smaller one.
 */
export function isInSample(share: number, { file, line, column, mutator, replacement }: Sampled): boolean {
  if (share >= 1) return true
  const digest = createHash('sha256')
    .update(JSON.stringify([file, line, column, mutator, replacement]))
    .digest()
  return digest.readUInt32BE(0) / 2 ** 32 < share
}

/** The share that a command line names; another text than a number above 0 and up to 1 is refused. */
export function shareFrom(text: string): number {
  const share = text.trim() === '' ? Number.NaN : Number(text)
  if (!(share > 0 && share <= 1))
    throw new Error(
      `--sample takes the share of mutants to run, above 0 and up to 1, such as 0.1; it was given ${text}`,
    )
  return share
}

/** About how many mutants Stryker makes of a line of code. */
const PER_LINE = 0.9

/** The share of a folder's mutants that comes to about a number of them; `texts` are its sources. */
export function shareFor(mutants: number, texts: readonly string[]): number {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => /^\s*[^\s/*]/.test(line))
  return Math.min(1, Number((mutants / (PER_LINE * lines.length)).toPrecision(2)))
}

/** The number of mutants that a command line asks for in each folder. */
export function countFrom(text: string): number {
  const count = Number(text)
  if (!(Number.isInteger(count) && count > 0))
    throw new Error(`--mutants takes how many mutants of each folder to run, such as 16; it was given ${text}`)
  return count
}

/** The two-sided normal quantile of 95 %. */
const Z = 1.959964

/**
 * The interval, in percent, that holds the figure of all mutants with 95 % confidence, by Wilson's score: it stays between 0
 * and 100, and means something for small samples and for figures near 100 as well.
 */
export function intervalOf(noticed: number, counted: number): readonly [low: number, high: number] {
  if (counted === 0) return [0, 100]
  const [share, square] = [noticed / counted, Z ** 2]
  const middle = (share + square / (2 * counted)) / (1 + square / counted)
  const half = (Z / (1 + square / counted)) * Math.sqrt((share * (1 - share)) / counted + square / (4 * counted ** 2))
  return [100 * Math.max(0, middle - half), 100 * Math.min(1, middle + half)]
}
