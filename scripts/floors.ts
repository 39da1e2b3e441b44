// The floor guard. Folders of src/ are floors: a file imports its own folder or a lower floor, imports of types
// included, and no chain of imports leads back to its start. Only adapters and cli know Node. Tests may import everything.
// Only src/schema asks for the name of a kind.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { builtinViolations } from './builtins.ts'
import { instanceViolations } from './instances.ts'
import { kindViolations } from './kinds.ts'

/** The folders of each floor, from the lowest, with what is in them: ARCHITECTURE.md shows it as a table. */
export const floors: readonly Readonly<Record<string, string>>[] = [
  {
    util: 'Helpers that know nothing of the rest.',
    regexp: 'Regular expressions of users: one parser, sets of characters, matched in linear time.',
    'errors.ts': 'Codes and texts of the core, and how plugins define theirs.',
  },
  {
    path: 'Path patterns: parse, match in linear time, expand.',
    schema: 'Attributes: one file for each kind.',
  },
  { design: 'Declarations as frozen values, the types that follow from them, their resolution and their mistakes.' },
  {
    contract: 'Contracts: all that clients rely on as data, and the differences between two of them.',
    openapi: 'OpenAPI documents, from resolved declarations and the routing table.',
    client: 'Typed calls, and answers read as declared. The entry point `edict/client`.',
    routing: 'The routing table, the tree of routes, versions, dispatch.',
    'declarations.ts': 'The names that declarations are written with, which front ends import too.',
  },
  {
    extend: 'Parts that only plugins need: whole kinds, and helpers as modules of their own.',
    server:
      'The request at run time, from the neutral transport to the neutral answer; `steps/` has its stages, `points/` the hooks of plugins.',
  },
  {
    'adapters/fetch': 'Requests and answers as `Request` and `Response`.',
    'adapters/lambda': 'Events of AWS Lambda. The entry point `edict/lambda`.',
    'adapters/node': 'node:http and node:http2: requests, answers, draining, workers. The entry point `edict/node`.',
    'extend.ts': 'All that plugins and policies need of the core: the entry point `edict/extend`.',
  },
  { security: 'Security schemes, their verifiers, and the policy that they make.' },
  { 'application.ts': 'The application that users make: the server of an API with its `fetch`.' },
  { 'index.ts': 'The public names: the entry point `edict`.' },
  {
    'plugins/cors':
      'Cross-origin requests: preflights and headers that follow from declarations. The entry point `edict/cors`.',
    'plugins/cache': 'The policy `cacheControl`. The entry point `edict/cache`.',
    'plugins/access-log': 'One structured line for each answer. The entry point `edict/access-log`.',
    'plugins/diagnostics': 'Events on channels of node:diagnostics_channel. The entry point `edict/diagnostics`.',
    'plugins/drift': 'Answers that break their declaration, counted and reported. The entry point `edict/drift`.',
    'plugins/health': 'Liveness and readiness, with checks. The entry point `edict/health`.',
    'plugins/security-headers': 'Headers that scanners expect of an API. The entry point `edict/security-headers`.',
    'plugins/opentelemetry':
      'Spans and metrics of requests and statements, on the API of OpenTelemetry. The entry point `edict/opentelemetry`.',
    'plugins/prometheus': 'A page of measurements for Prometheus. The entry point `edict/prometheus`.',
    'plugins/compression': 'Compressed answers. The entry point `edict/compression`.',
    'plugins/docs':
      'The documentation browser: a plugin that serves it, and the same as files. The entry point `edict/docs`.',
    'plugins/visibility':
      'Attributes that some clients see only, and who they are. The entry point `edict/visibility`.',
    'plugins/stores':
      'Counters, keys and sessions in memory, Redis or PostgreSQL, and the suite for further stores. The entry points `edict/stores` and `edict/stores/suite`.',
    'plugins/query':
      'The tree of a query, its meaning over rows in memory, and what a datastore promises: all that resources and datastores share.',
  },
  {
    'plugins/datastores':
      'Rows in memory, and SQL for Drizzle, Kysely, Prisma and plain clients. The entry points `edict/mapper/drizzle`, `/kysely` and so on.',
  },
  {
    'plugins/mapper':
      'Resources, filters, field selection: queries from requests, elements from rows. The entry points `edict/mapper` and `edict/mapper/extend`.',
  },
  {
    'plugins/rate-limit':
      'The policy `rateLimit`, and the plugin that counts in a store. The entry point `edict/rate-limit`.',
    'plugins/conditional': 'Entity tags, conditional reads and changes. The entry point `edict/conditional`.',
    'plugins/idempotency':
      'The policy `idempotent`, and the plugin that records answers in a store. The entry point `edict/idempotency`.',
    'plugins/jwt': 'The verifier of JWTs, on jose. The entry point `edict/jwt`.',
    'plugins/sessions': 'Sessions in cookies, sealed or by id in a store. The entry point `edict/sessions`.',
    'plugins/pagination':
      'The params `pagination` and `order`, their plugin, pages and links. The entry point `edict/pagination`.',
  },
  {
    suites:
      'Suites for datastores and stores that others write. The entry points `edict/mapper/suite` and `edict/stores/suite`.',
    mock: 'Applications made of declarations alone: entities, their rows, what actions do with them. The entry point `edict/mock`.',
  },
  {
    testing:
      'Tests: a client in process, `checkApplication` with its laws, examples and near misses. The entry point `edict/testing`.',
  },
  { cli: 'The command `edict`, one file for each command.' },
]
// One product on three floors: no door leads from one of them to another.
const mapper = /^src\/plugins\/(query|datastores|mapper)\//
// Neighbours on one floor do not import each other, except these: the towers read the routing table.
const neighbours = new Set(['openapi → routing', 'contract → routing', 'client → routing'])
const mayUseNode = /^src\/(adapters|cli)\//
const builtins = new Set(builtinModules)

interface Import {
  readonly file: string
  readonly line: number
  readonly specifier: string
}

function place(file: string): { folder: string; floor: number } | undefined {
  const path = file.slice('src/'.length)
  for (const [floor, folders] of floors.entries()) {
    const folder = Object.keys(folders).find((name) => path === name || path.startsWith(`${name}/`))
    if (folder !== undefined) return { folder, floor }
  }
  return undefined
}

function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => {
    return { file, line: text.slice(0, pos).split('\n').length, specifier: fileName }
  })
}

const NO_DOOR = 'which no package outside can'

/** Plugins are built as a package outside would be: through the entry points that the package publishes. */
function doorsOf(root: string): ReadonlySet<string> {
  const manifest = join(root, 'package.json')
  const published = existsSync(manifest) ? Object.values(JSON.parse(readFileSync(manifest, 'utf8')).exports) : []
  const scripts = published.flatMap((one) => (one as { readonly default?: string }).default ?? [])
  return new Set(scripts.map((script) => script.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts')))
}

function judge(root: string, doors: ReadonlySet<string>, { file, specifier }: Import): string | undefined {
  const bare = specifier.replace(/^node:/, '')
  if (builtins.has(bare) || specifier !== bare) {
    if (mayUseNode.test(file)) return undefined
    return `imports Node's ${bare}. Remedy: use a web-standard global, or move the code to src/adapters/node or src/cli.`
  }
  if (/^edict(\/|$)/.test(specifier)) return 'imports its own package. Remedy: import the file by its relative path.'
  if (!specifier.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(file), specifier)
  if (!target.startsWith('src/')) return `imports ${target}, outside src/. Remedy: move what it needs into src/.`
  // A script that is made by a build stands beside its declaration.
  const files = [target, target.replace(/\.js$/, '.d.ts')]
  if (!files.some((one) => existsSync(join(root, one))))
    return `imports ${target}, which does not exist. Remedy: correct the path.`
  const plugin = /^src\/plugins\/[^/]+\//.exec(file)?.[0]
  const isOwn = target.startsWith(plugin ?? '') || (mapper.test(file) && mapper.test(target))
  if (!isOwn && !doors.has(target))
    return `imports ${target}, ${NO_DOOR}. Remedy: export what it needs from src/extend.ts, or from the entry point of that plugin.`
  const [from, to] = [place(file), place(target)]
  if (from === undefined || to === undefined || from.folder === to.folder || to.floor < from.floor) return undefined
  if (neighbours.has(`${from.folder} → ${to.folder}`)) return undefined
  const what = `imports ${target} (${to.folder}, floor ${to.floor}) from ${from.folder}, floor ${from.floor}`
  return `${what}. Remedy: move what both need to a floor below ${from.floor}, or have a higher floor pass it in.`
}

/** Circles among the files and sub-folders of a folder, each taken as a whole: inside a floor there is an order, too. */
function circlesOfRooms(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>()
  const causes = new Map<string, Import[]>()
  for (const one of imports) {
    const [own, other] = [one.file.split('/'), posix.join(posix.dirname(one.file), one.specifier).split('/')]
    const depth = own.findIndex((step, i) => step !== other[i]) + 1
    if (depth === 0) continue
    const [from, to] = [own.slice(0, depth).join('/'), other.slice(0, depth).join('/')]
    targets.set(from, [...(targets.get(from) ?? []), to])
    causes.set(`${from} → ${to}`, [...(causes.get(`${from} → ${to}`) ?? []), one])
  }
  const told = new Set<string>()
  return [...targets.keys()].flatMap((room) => {
    const ring = told.has(room) ? undefined : findRing(targets, room)
    if (ring === undefined || ring.every((step) => step.endsWith('.ts'))) return []
    for (const step of reachBoth(targets, room)) told.add(step)
    const steps = ring.map((step, i) => causes.get(`${step} → ${ring[(i + 1) % ring.length]}`) as Import[])
    const [{ file, line, specifier } = {} as Import] = steps.sort((a, b) => a.length - b.length)[0] as Import[]
    const circle = [...ring, room].join(' → ')
    return `${file}:${line}: imports ${specifier}, which closes a circle of rooms: ${circle}. Remedy: move one of the two files to the room that needs it.`
  })
}

/** The shortest cycle among files that import each other by whatever way: one line for each cause. */
function cycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { file, specifier } of imports)
    targets.set(file, [...(targets.get(file) ?? []), posix.join(posix.dirname(file), specifier)])
  const rings = [...targets.keys()].map((file) => findRing(targets, file)).filter((ring) => ring !== undefined)
  const told = new Set<string>()
  const found: string[] = []
  for (const ring of rings.sort((one, other) => one.length - other.length)) {
    if (ring.some((file) => told.has(file))) continue
    for (const file of reachBoth(targets, ring[0] as string)) told.add(file)
    const [last, first] = [ring.at(-1), ring[0]] as [string, string]
    const closing = imports.find(
      ({ file, specifier }) => file === last && posix.join(posix.dirname(file), specifier) === first,
    )
    found.push(
      `${last}:${closing?.line}: closes a cycle: ${[...ring, first].join(' → ')}. Remedy: move what they share to a third file.`,
    )
  }
  return found
}

/** The shortest chain of imports from a file back to itself. */
function findRing(targets: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const before = new Map<string, string>()
  const rest = [start]
  for (let file = rest.shift(); file !== undefined; file = rest.shift()) {
    for (const target of targets.get(file) ?? []) {
      if (target === start) {
        const ring = [file]
        while (ring[0] !== start) ring.unshift(before.get(ring[0] as string) as string)
        return ring
      }
      if (before.has(target)) continue
      before.set(target, file)
      rest.push(target)
    }
  }
  return undefined
}

/** The files that a file reaches and that reach it. */
function reachBoth(targets: ReadonlyMap<string, readonly string[]>, start: string): string[] {
  const reach = (from: string): Set<string> => {
    const seen = new Set([from])
    for (const file of seen) for (const target of targets.get(file) ?? []) seen.add(target)
    return seen
  }
  return [...reach(start)].filter((file) => reach(file).has(start))
}

/** The TypeScript files of a folder, by their paths from `root`. */
function filesOf(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => /^(?!.*node_modules\/).*\.ts$/.test(name)).map((name) => `${folder}/${name}`)
}

/** Every breach of the floors under `root`, one text each: file and line, what is wrong, and how to mend it. */
export function floorViolations(root: string): string[] {
  const files = filesOf(root, 'src').filter((file) => !/\.test(-d)?\.ts$/.test(file))
  const homeless = files.filter((file) => place(file) === undefined)
  const imports = files.flatMap((file) => importsOf(root, file))
  const relative = imports.filter(({ specifier }) => specifier.startsWith('.'))
  const circles = cycles(relative)
  const doors = doorsOf(root)
  const judged = imports.map((one) => ({ ...one, verdict: judge(root, doors, one) })).filter(({ verdict }) => verdict)
  return [
    ...homeless.map((file) => `${file}:1: is on no floor. Remedy: move it, or give it a floor in scripts/floors.ts.`),
    ...judged.map(({ file, line, verdict }) => `${file}:${line}: ${verdict}`),
    ...builtinViolations(root, files),
    ...kindViolations(root, files),
    // A circle of files is one of their rooms as well, and is told once.
    ...(circles.length > 0 ? circles : circlesOfRooms(relative)),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.cwd()
  const violations = [...floorViolations(root), ...instanceViolations(root)]
  for (const violation of violations) console.error(violation)
  const hidden = violations.filter((one) => one.includes(NO_DOOR)).length
  console.log(
    `floors: ${violations.length} violation(s); imports of plugins that no package outside could make: ${hidden}`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}
