// The guard: a test fails when an answer that came during it does not fit the OpenAPI document of its application.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, type RunnerTestFile, type RunnerTestSuite } from 'vitest'
import { exceptions } from './exceptions.ts'
import { type Ended, OwnExceptions } from './exceptions-used.ts'
import { Session } from './session.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const session = new Session()
session.begin()

let file: RunnerTestFile | undefined
let own = new OwnExceptions([], '')

beforeEach(({ task }) => {
  if (file === undefined) own = new OwnExceptions(exceptions, relative(ROOT, task.file.filepath))
  file = task.file
  session.enter(titleOf(task))
})

afterEach(refuse)

afterAll(() => {
  try {
    refuse()
  } finally {
    session.end()
  }
  const mistakes = file === undefined ? [] : own.mistakes(testsOf(file))
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
})

/** How many breaks are told of one test. */
const MOST_TOLD = 10

function refuse(): void {
  const found = session.take().filter((one) => !own.allow(one))
  if (found.length === 0) return
  const lines = [...new Set(found.map(({ text }) => `- ${text}`))]
  const told =
    lines.length > MOST_TOLD ? [...lines.slice(0, MOST_TOLD), `- and ${lines.length - MOST_TOLD} more`] : lines
  const remedy = 'See "When the guard stops a test" in CONTRIBUTING.md.'
  throw new Error(`${found.length} answers do not fit their OpenAPI document:\n${told.join('\n')}\n${remedy}`)
}

interface Titled {
  readonly name: string
  readonly suite?: RunnerTestSuite | undefined
}

function titleOf({ name, suite }: Titled): string {
  return suite === undefined || suite.name === '' ? name : `${titleOf(suite)} > ${name}`
}

function testsOf(suite: RunnerTestSuite): Ended[] {
  return suite.tasks.flatMap((task) =>
    task.type === 'suite' ? testsOf(task) : [{ title: titleOf(task), state: task.result?.state }],
  )
}
