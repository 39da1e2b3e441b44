// The form of a compatibility case.
import type { Target } from './client.ts'

/** One thing that must be the same on every runtime; it rejects when it is not. */
export interface Case {
  readonly group: string
  readonly name: string
  run(target: Target): Promise<void>
}

/** Gathers the cases of a group. */
export const group = (name: string, cases: Readonly<Record<string, Case['run']>>): readonly Case[] =>
  Object.entries(cases).map(([title, run]) => ({ group: name, name: title, run }))
