// Which tests a campaign runs, and in which order.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that look at files, at packages, or at processes of their own: a mutant lives in the process of its test only. */
const ELSEWHERE: readonly string[] = [
  ...['browser', 'cli', 'cli-dev', 'cli-diff', 'cli-documents', 'cli-generate', 'compat', 'documentation-browser'],
  ...['documentation-example', 'example', 'faults', 'guard', 'mock-cli', 'new-project', 'packaging', 'pages'],
  ...['tutorial', 'snippets', 'serving'],
].map((name) => `test/${name}.test.ts`)

/** Campaigns of generated cases, which take minutes each and are no shorter for one mutant. */
const CAMPAIGNS: readonly string[] = ['fuzz', 'hostile', 'list-walks', 'definition-mistakes-generated'].map(
  (name) => `test/${name}.test.ts`,
)

/** Tests that talk to database servers: only what has to do with them is worth the time. */
const DATABASES: readonly string[] = [
  ...['datastores', 'list-changes', 'list-collations', 'list-decimals', 'lists-filters', 'lists-hostile'].map(
    (name) => `test/${name}.test.ts`,
  ),
  ...['lists-statements', 'lists', 'resources-failures', 'resources'].map((name) => `test/${name}.test.ts`),
  'src/mapper/datastores/drizzle*.test.ts',
  'src/mapper/datastores/kysely*.test.ts',
]

/** Patterns of the tests that a campaign leaves out. */
export const leftOut = (databases: boolean): readonly string[] => [
  'test/compat/**',
  'test/engines/**',
  'test/guard/**',
  ...ELSEWHERE,
  ...CAMPAIGNS,
  ...(databases ? [] : DATABASES),
]

/** The tests of whole applications that are about a folder; those beside its files are about it anyway. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  'src/adapters/fetch': ['socket', 'serving', 'rendering-forms', 'inputs-forms'],
  'src/adapters/node': ['socket', 'rendering-forms', 'canonical-paths', 'request'],
  'src/client': ['client', 'client-*'],
  'src/contract': ['contract-*', 'requires', 'security', 'versions'],
  'src/mapper': ['field-selection', 'filtering', 'ordering', 'lists*', 'list-*', 'resources*', 'datastores'],
  'src/mapper/datastores': ['lists*', 'list-*', 'resources*', 'datastores'],
  'src/mock': ['mock', 'mock-*'],
  'src/openapi': ['documentation*', 'payload-*', 'response-*', 'security', 'versions', 'inherit', 'requires'],
  'src/pagination': ['pagination*', 'ordering', 'list-links', 'errors-lists'],
}

/** The tests that are run for the mutants of a folder; `wide` for all that could notice one. */
export function testsOf(
  folder: string,
  wide: boolean,
): { readonly include: readonly string[]; readonly databases: boolean } {
  const databases = wide || folder.startsWith('src/mapper')
  const subjects = wide ? undefined : SUBJECTS[folder]
  if (subjects === undefined) return { include: ['{src,test}/**/*.test.ts'], databases }
  return { include: [`${folder}/**/*.test.ts`, ...subjects.map((name) => `test/${name}.test.ts`)], databases }
}

/** Runs tests beside a source before those of whole applications, and small files before large ones. */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = [...(await super.sort(files))].reverse()
    return sorted.sort((one, other) => Number(isWhole(one)) - Number(isWhole(other)))
  }
}

const isWhole = ({ moduleId }: TestSpecification): boolean => /\/test\/[^/]*\.test\.ts$/.test(moduleId)
