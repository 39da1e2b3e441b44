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
  'src/plugins/lists/datastores/drizzle/*.test.ts',
  'src/plugins/lists/datastores/kysely/*.test.ts',
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
  src: ['errors*', 'definition-mistakes*', 'bad-input', 'controllers'],
  'src/adapters/fetch': ['socket', 'rendering-forms', 'inputs-forms', 'request'],
  'src/adapters/node': ['socket', 'rendering*', 'canonical-paths', 'request', 'receiving', 'targets'],
  'src/client': ['client', 'client-*'],
  'src/contract': ['contract-*', 'requires', 'security', 'versions'],
  'src/design': [
    ...[
      'action-defaults',
      'actions',
      'callbacks',
      'controllers',
      'definition-*',
      'documentation',
      'endpoint-*',
      'inherit',
    ],
    ...['headers', 'locations', 'parents', 'payload-*', 'requires', 'response*', 'security', 'field-selection'],
  ],
  'src/plugins/docs': ['documentation*'],
  'src/plugins/lists': [
    'field-selection',
    'filter*',
    'hidden-*',
    'ordering',
    'lists*',
    'list-*',
    'resources*',
    'datastores',
  ],
  'src/plugins/lists/datastores': ['lists*', 'list-*', 'resources*', 'datastores', 'statement-logs', 'filter-values'],
  'src/mock': ['mock', 'mock-*'],
  'src/openapi': [
    ...['documentation*', 'payload-*', 'response-*', 'security', 'versions', 'inherit', 'requires', 'callbacks'],
    ...['field-selection', 'pagination', 'headers'],
  ],
  'src/plugins/pagination': ['pagination*', 'ordering', 'list-links', 'link-bounds', 'errors-lists'],
  'src/path': ['routing*', 'canonical-paths', 'locations', 'targets', 'documentation'],
  'src/regexp': ['attributes', 'payload-types', 'routing'],
  'src/routing': [
    'routing*',
    'versions',
    'canonical-paths',
    'targets',
    'controllers',
    'parents',
    'definition-mistakes',
  ],
  'src/schema': ['attributes', 'inputs*', 'payload-*', 'response-bodies', 'rendering*', 'documentation*', 'production'],
  'src/server': [
    ...[
      'actions',
      'bad-input',
      'callbacks',
      'controllers',
      'errors*',
      'headers',
      'inputs*',
      'locations',
      'negotiation',
    ],
    ...['payload-*', 'production', 'receiving', 'rendering*', 'request', 'response*', 'results', 'security', 'targets'],
    ...['definition-mistakes-options', 'field-selection', 'limits-exact', 'versions'],
  ],
  'src/util': ['bad-input', 'definition-mistakes*', 'documentation', 'inputs*', 'filter-values', 'response-bodies'],
}

/** The tests that are run for the mutants of a folder; `wide` for all that could notice one. */
export function testsOf(
  folder: string,
  wide: boolean,
): { readonly include: readonly string[]; readonly databases: boolean } {
  const databases = wide || folder.startsWith('src/plugins/lists')
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
