// The order of test files: those that take longest begin first. A fresh clone has no record of earlier runs, and many of them are
// short files.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longTests } from './long-tests.ts'

/** Sorts the files of a run by that list, and the others as Vitest does; those that share a process come last, as only neighbours can. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = longTests.findIndex((name) => moduleId.endsWith(`/${name}`))
      return (project.config.isolate ? 0 : longTests.length + 1) + (found === -1 ? longTests.length : found)
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}
