// Which tests a campaign runs, and in which order.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const inTest = (name: string): string => `test/${name}.test.ts`

/** Tests that look at files, at packages, or at processes of their own: a mutant lives in the process of its test only. */
const ELSEWHERE: readonly string[] = [
  ...[
    'cli/*',
    'campaigns/{compat,faults}',
    'campaigns/{compat,mutation}/*',
    'documentation/{browser,example}',
    'mock/cli',
  ],
  ...['plugins/package', 'repository/*', 'serving/processes', 'support/**/*'],
].map(inTest)

/** Campaigns of generated cases, which take minutes each and are no shorter for one mutant. */
const CAMPAIGNS: readonly string[] = [
  'campaigns/{fuzz,hostile}',
  'lists/walks/exact',
  'declarations/mistakes/generated',
].map(inTest)

/** Tests that talk to database servers: only what has to do with them is worth the time. */
const DATABASES: readonly string[] = [
  ...['lists/columns/{collations,decimals}', 'lists/cost/statements', 'lists/walks/changes'].map(inTest),
  inTest('lists/datastores/{failures,filters,hostile,pages,resources,suite}'),
  'src/plugins/lists/datastores/drizzle/*.test.ts',
  'src/plugins/lists/datastores/catalogue/*.test.ts',
  'src/plugins/lists/datastores/plain/*.test.ts',
  'src/plugins/lists/datastores/kysely/*.test.ts',
]

/** Patterns of the tests that a campaign leaves out. */
export const leftOut = (databases: boolean): readonly string[] => [
  ...ELSEWHERE,
  ...CAMPAIGNS,
  ...(databases ? [] : DATABASES),
]

/** The tests of whole applications that are about a folder; those beside its files are about it anyway. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  src: ['errors/*', 'declarations/mistakes/*', 'inputs/refused', 'declarations/controllers'],
  'src/adapters/fetch': ['serving/sockets', 'responses/forms', 'inputs/{forms,request}'],
  'src/adapters/node': [
    ...['serving/{receiving,sockets}', 'responses/{forms,rendering}', 'routing/{canonical-paths,targets}'],
    'inputs/request',
  ],
  'src/adapters/lambda': ['elsewhere/{lambda,raw-headers}', 'plugins/bounds', 'serving/recovery'],
  'src/client': ['client/*'],
  'src/contract': ['contract/*', 'declarations/requires', 'plugins/security', 'routing/versions'],
  'src/design': [
    ...['declarations/**/*', 'documentation/documents', 'inputs/{absent-payload,content-types,headers}'],
    ...['responses/{bodies,declared,returned}', 'plugins/security', 'lists/params/fields'],
  ],
  'src/plugins/access-log': ['observability/{access-log,law,secrets}'],
  'src/plugins/cache': ['browsers/cache', 'plugins/bounds'],
  'src/plugins/compression': ['browsers/compression', 'plugins/bounds'],
  'src/plugins/conditional': ['browsers/{conditional,preconditions}'],
  'src/plugins/cors': ['browsers/cors', 'plugins/bounds'],
  'src/plugins/docs': ['documentation/*'],
  'src/plugins/drift': ['observability/drift', 'plugins/bounds'],
  'src/plugins/health': ['observability/health', 'plugins/bounds'],
  'src/plugins/idempotency': ['stores/{bounds,idempotency}', 'plugins/bounds'],
  'src/plugins/jwt': ['credentials/{jwt,scopes}', 'plugins/bounds', 'serving/recovery'],
  'src/plugins/lists': ['lists/**/*'],
  'src/plugins/lists/datastores': ['lists/{columns,cost,datastores,walks}/*'],
  'src/plugins/pagination': ['pagination/*', 'lists/params/order', 'lists/walks/{bounds,links}', 'errors/lists'],
  'src/plugins/prometheus': ['observability/prometheus', 'plugins/bounds'],
  'src/plugins/rate-limit': ['stores/{bounds,limits}', 'plugins/bounds'],
  'src/plugins/security': ['plugins/*', 'credentials/{cross-site,scopes}'],
  'src/plugins/sessions': ['credentials/{scopes,sessions}', 'stores/bounds', 'plugins/bounds'],
  'src/mock': ['mock/*'],
  'src/openapi': [
    ...['documentation/*', 'inputs/{absent-payload,content-types,headers}', 'responses/{bodies,returned}'],
    ...['plugins/security', 'routing/versions', 'declarations/{callbacks,inherit,requires}', 'lists/params/fields'],
    'pagination/pages',
  ],
  'src/path': [
    ...['routing/{canonical-paths,precedence,routes,targets}', 'declarations/locations'],
    'documentation/documents',
  ],
  'src/regexp': ['inputs/{attributes,content-types}', 'routing/routes'],
  'src/routing': ['routing/*', 'declarations/{controllers,parents}', 'declarations/mistakes/boot'],
  'src/schema': ['inputs/*', 'responses/{bodies,forms,production,rendering}', 'documentation/*'],
  'src/server': [
    ...['declarations/{actions,callbacks,controllers,locations}', 'declarations/mistakes/options', 'errors/*'],
    ...[
      'inputs/*',
      'responses/*',
      'routing/{targets,versions}',
      'serving/receiving',
      'plugins/*',
      'lists/params/fields',
    ],
  ],
  'src/util': [
    ...['inputs/{forms,json,lists,refused,sources}', 'declarations/mistakes/*', 'documentation/documents'],
    ...['lists/columns/values', 'responses/bodies'],
  ],
}

/** Every pattern that names tests, for the test that each names some. */
export const patterns: readonly string[] = [
  ...ELSEWHERE,
  ...CAMPAIGNS,
  ...DATABASES,
  ...Object.values(SUBJECTS).flatMap((names) => names.map(inTest)),
]

/** Every folder of sources that has tests of its own choice. */
export const folders: readonly string[] = Object.keys(SUBJECTS)

/** The tests that are run for the mutants of a folder; `wide` for all that could notice one. */
export function testsOf(
  folder: string,
  wide: boolean,
): { readonly include: readonly string[]; readonly databases: boolean } {
  const databases = wide || folder.startsWith('src/plugins/lists')
  const subjects = wide ? undefined : SUBJECTS[folder]
  if (subjects === undefined) return { include: ['{src,test}/**/*.test.ts'], databases }
  return { include: [`${folder}/**/*.test.ts`, ...subjects.map(inTest)], databases }
}

/** Runs tests beside a source before those of whole applications, and small files before large ones. */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = [...(await super.sort(files))].reverse()
    return sorted.sort((one, other) => Number(isWhole(one)) - Number(isWhole(other)))
  }
}

const isWhole = ({ moduleId }: TestSpecification): boolean => /\/test\/.*\.test\.ts$/.test(moduleId)
