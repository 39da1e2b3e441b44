// Orders the test files: the slowest begin first. A fresh clone has no record of earlier runs, and most files are short.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longTests } from './long-tests.ts'

/**
 * Sorts the files of a run by `longTests`, the others as Vitest does; files without isolation come last, since only adjacent
 * files can share a process.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ moduleId, project }: TestSpecification): number => {
      const found = longTests.findIndex((name) => moduleId.endsWith(`/${name}`))
      return (project.config.isolate ? 0 : longTests.length + 1) + (found === -1 ? longTests.length : found)
    }
    return (await super.sort(files)).sort((one, other) => getRank(one) - getRank(other))
  }
}
