// The order of test files: those that take longest begin first, so that no worker waits for the other at the end. A fresh clone
// has no record of earlier runs, and many of them are short files.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest on a machine with two cores, from about two minutes down to fifteen seconds; first those that have a process of their own. */
export const slowest: readonly string[] = [
  'test/cli/newcomer.test.ts',
  'test/repository/site.test.ts',
  'test/start/stacks.test.ts',
  'test/campaigns/faults.test.ts',
  'test/editor/homes.test.ts',
  'test/cli/dev.test.ts',
  'test/documentation/page.test.ts',
  'test/campaigns/hostile.test.ts',
  'test/documentation/browser.test.ts',
  'test/editor/waiting.test.ts',
  'test/lists/datastores/newer-node.test.ts',
  'test/start/products.test.ts',
  'test/serving/processes.test.ts',
  'test/client/package.test.ts',
  'test/lists/datastores/pages.test.ts',
  'test/editor/mistakes.test.ts',
  'test/cli/generate.test.ts',
  'test/lists/datastores/hostile.test.ts',
  'test/lists/datastores/suite.test.ts',
  'test/documentation/validity.test.ts',
  'test/campaigns/compat.test.ts',
  'test/repository/snippets.test.ts',
  'test/cli/commands.test.ts',
  'test/documentation/example.test.ts',
  'test/stores/suite.test.ts',
  'test/stores/keys.test.ts',
  'test/repository/example.test.ts',
  'test/client/bundle.test.ts',
  'test/import/round-trips.test.ts',
  'test/import/documents.test.ts',
  'test/editor/recursion.test.ts',
  'test/stores/limits.test.ts',
  'test/scale/mariadb.test.ts',
  'test/scale/own-writes.test.ts',
  'test/campaigns/compat/secure-defaults.test.ts',
  'test/repository/tutorial.test.ts',
  'test/import/hostile.test.ts',
  'test/lists/cost/reads.test.ts',
  'test/browsers/races.test.ts',
  'test/editor/language.test.ts',
  'test/campaigns/fuzz.test.ts',
  'src/plugins/lists/datastores/catalogue/suite.test.ts',
  'src/plugins/lists/datastores/catalogue/values.test.ts',
  'test/lists/walks/exact.test.ts',
  'src/plugins/lists/datastores/drizzle/suite.test.ts',
  'test/lists/columns/order.test.ts',
  'test/lists/columns/collations.test.ts',
  'test/lists/columns/filters.test.ts',
  'test/declarations/mistakes/generated.test.ts',
  'test/plugins/package.test.ts',
  'test/lists/columns/tokens.test.ts',
  'test/lists/scopes/tenants.test.ts',
  'test/mock/cli.test.ts',
]

/** Sorts the files of a run by that list, and the others as Vitest does; those that share a process come last, as only neighbours can. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = slowest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return (project.config.isolate ? 0 : slowest.length + 1) + (found === -1 ? slowest.length : found)
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}
