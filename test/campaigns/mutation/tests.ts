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
  ...[
    'client/{bundle,package,runtimes}',
    'documentation/page',
    'lists/datastores/newer-node',
    'plugins/{cost,package}',
  ],
  ...['repository/*', 'serving/processes', 'stores/keys', 'support/**/*'],
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
  'src/plugins/datastores/drizzle/*.test.ts',
  'src/plugins/datastores/catalogue/*.test.ts',
  'src/plugins/datastores/plain/*.test.ts',
  'src/plugins/datastores/kysely/*.test.ts',
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
  'src/bundler': ['bundler/*'],
  'src/client': ['client/*', 'streams/client', 'bundler/same-calls'],
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
  'src/plugins/jwt': ['credentials/{jwt,jwt-secrets,scopes}', 'plugins/bounds', 'serving/recovery'],
  'src/plugins/mapper': ['lists/**/*'],
  'src/plugins/datastores': ['lists/{columns,cost,datastores,walks}/*'],
  'src/plugins/pagination': [
    ...['pagination/*', 'lists/params/order', 'lists/walks/{bounds,links}', 'errors/lists'],
    ...['lists/conventions/*', 'lists/conventions/published/*'],
  ],
  'src/plugins/prometheus': ['observability/prometheus', 'plugins/bounds'],
  'src/plugins/rate-limit': ['stores/{bounds,limits}', 'plugins/bounds'],
  'src/security': ['plugins/*', 'credentials/{cross-site,scopes}'],
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
      'streams/{declared,wire}',
    ],
  ],
  'src/util': [
    ...['inputs/{forms,json,lists,refused,sources}', 'declarations/mistakes/*', 'documentation/documents'],
    ...['lists/columns/values', 'responses/bodies', 'streams/*'],
  ],
}

/** Folders that are measured together when mutants are judged widely, and the tests of whole applications that could notice them. */
interface Area {
  readonly name: string
  readonly folders: readonly string[]
  readonly tests: readonly string[]
}

const plugins = (...names: string[]): string[] => names.map((name) => `src/plugins/${name}`)

/**
 * Finding out which test reaches which mutant takes as long as all the tests together. So a campaign that judges widely takes
 * the folders of one area at once, and every test of all their subjects judges each of them.
 */
const AREAS: readonly Area[] = [
  {
    name: 'policies',
    folders: [
      'src/security',
      ...plugins('jwt', 'sessions', 'visibility', 'stores', 'rate-limit', 'idempotency'),
      ...plugins('cors', 'conditional', 'cache', 'compression', 'security-headers'),
    ],
    tests: ['{browsers,credentials,stores,plugins}/*', 'serving/recovery', 'elsewhere/raw-headers'],
  },
  {
    name: 'observability',
    folders: plugins('access-log', 'diagnostics', 'drift', 'health', 'opentelemetry', 'prometheus'),
    tests: ['observability/*', 'plugins/{bounds,ends,codes}'],
  },
  {
    name: 'adapters',
    folders: ['src/adapters/fetch', 'src/adapters/lambda', 'src/adapters/node'],
    tests: ['{serving,elsewhere}/*', 'responses/{forms,rendering}', 'routing/*', 'inputs/{forms,limits,request}'],
  },
  {
    name: 'requests',
    folders: ['src/schema', 'src/server', 'src/routing', 'src/path', 'src/regexp', 'src/util'],
    tests: ['{inputs,responses,routing,errors,plugins}/*', 'declarations/*', 'serving/receiving'],
  },
  {
    name: 'declarations',
    folders: ['src', 'src/design'],
    tests: ['declarations/**/*', '{errors,routing,plugins}/*', 'inputs/{absent-payload,content-types,headers,refused}'],
  },
  {
    name: 'contracts',
    folders: ['src/contract', 'src/openapi', 'src/client', 'src/mock', 'src/testing', 'src/plugins/docs'],
    tests: ['{contract,documentation,client,mock,testing}/*', 'declarations/requires', 'plugins/security'],
  },
  {
    name: 'lists',
    folders: plugins('query', 'mapper', 'pagination'),
    tests: ['lists/**/*', 'pagination/*', 'errors/lists'],
  },
  {
    name: 'datastores',
    folders: plugins('datastores'),
    tests: ['lists/{columns,cost,datastores,scopes,walks,writes}/*'],
  },
]

/** Every pattern that names tests, for the test that each names some. */
export const patterns: readonly string[] = [
  ...ELSEWHERE,
  ...CAMPAIGNS,
  ...DATABASES,
  ...Object.values(SUBJECTS).flatMap((names) => names.map(inTest)),
  ...AREAS.flatMap(({ tests }) => tests.map(inTest)),
]

/** Every folder of sources that has tests of its own choice. */
export const folders: readonly string[] = [
  ...new Set([...Object.keys(SUBJECTS), ...AREAS.flatMap((area) => area.folders)]),
]

/** Tests, and whether they need database servers. */
export interface Judges {
  readonly include: readonly string[]
  readonly databases: boolean
}

/** The tests that are run for the mutants of a folder. */
export function testsOf(folder: string): Judges {
  const databases = folder.startsWith('src/plugins/mapper')
  const subjects = SUBJECTS[folder]
  if (subjects === undefined) return { include: ['{src,test}/**/*.test.ts'], databases }
  return { include: [`${folder}/**/*.test.ts`, ...subjects.map(inTest)], databases }
}

/** The area that a folder is measured with when it is judged widely: its name is that of the folder where it has none. */
export const areaOf = (folder: string): string => AREAS.find((area) => area.folders.includes(folder))?.name ?? folder

/** The tests that could notice a mutant of an area. */
export function testsOfArea(name: string): Judges {
  const area = AREAS.find((one) => one.name === name)
  if (area === undefined) return testsOf(name)
  const beside = area.folders.map((folder) => (folder === 'src' ? 'src/*.test.ts' : `${folder}/**/*.test.ts`))
  return { include: [...beside, ...area.tests.map(inTest)], databases: name === 'datastores' }
}

/** Runs tests beside a source before those of whole applications, and small files before large ones. */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = [...(await super.sort(files))].reverse()
    return sorted.sort((one, other) => Number(isWhole(one)) - Number(isWhole(other)))
  }
}

const isWhole = ({ moduleId }: TestSpecification): boolean => /\/test\/.*\.test\.ts$/.test(moduleId)
