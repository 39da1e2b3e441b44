// Asks for the choices of a new project that no flag sets.
import { createInterface } from 'node:readline/promises'
import type { ProjectChoices } from './choice-values.ts'
import { stackChoices } from './stack.ts'

/** The choices that flags set. */
export type FlagChoices = { readonly [K in keyof ProjectChoices]?: ProjectChoices[K] | undefined }

/** The default choices. */
export const defaultChoices: ProjectChoices = {
  database: 'sqlite',
  orm: 'drizzle',
  auth: 'none',
  tests: 'node',
  docker: false,
  ci: false,
}

const questions: Readonly<Record<keyof ProjectChoices, string>> = {
  database: 'Database',
  orm: 'ORM or query builder',
  auth: 'Authentication',
  tests: 'Test runner',
  docker: 'Dockerfile and compose.yaml',
  ci: 'GitHub workflow',
}

const YES_NO = ['no', 'yes'] as const

/** Asks at a terminal for each missing choice; an empty answer selects the first value. */
export async function askForChoices(
  flags: FlagChoices,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<ProjectChoices> {
  const lines = createInterface({ input, output, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const chosen: Record<string, string | boolean> = {}
  try {
    for (const name of Object.keys(questions) as (keyof ProjectChoices)[]) {
      const isChoice = name !== 'docker' && name !== 'ci'
      const known = flags[name]
      if (known !== undefined) chosen[name] = known
      else if (isChoice) chosen[name] = await ask(questions[name], stackChoices[name])
      else chosen[name] = (await ask(questions[name], YES_NO)) === 'yes'
    }
  } finally {
    lines.close()
  }
  return chosen as unknown as ProjectChoices

  async function ask(question: string, values: readonly string[]): Promise<string> {
    for (;;) {
      output.write(`${question} (${values.join(', ')}) [${values[0]}]: `)
      const { value, done } = await answers.next()
      const typed = done ? '' : value.trim().toLowerCase()
      if (typed === '') return values[0] as string
      const found = values.filter((one) => one.startsWith(typed))
      if (found.length === 1) return found[0] as string
      output.write(`Say one of ${values.join(', ')}, or its beginning.\n`)
    }
  }
}
