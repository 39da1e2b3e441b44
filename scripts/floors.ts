// Guards the layers ("floors") of src/: a file imports its own folder or a lower floor, type imports included, and imports
// have no cycles. Plugins, and tools that use them, import what the package exports. Only adapters, bundler and cli use Node. Tests may import everything. Only src/schema reads the name of a kind.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { findBuiltinViolations } from './builtins.ts'
import { findInstanceViolations } from './instances.ts'
import { findKindViolations } from './kinds.ts'

/** The folders of each floor, from the lowest, with their contents: ARCHITECTURE.md shows them as a table. */
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
    client: 'Typed calls, and responses read as declared. The entry point `edict/client`.',
    routing: 'The routing table, the tree of routes, versions, dispatch.',
    'declarations.ts': 'The names that declarations are written with, which front ends import too.',
  },
  {
    server:
      'The request at run time, from the neutral transport to the neutral response; `steps/` has its stages, `plugin-hooks.ts` the hooks of plugins.',
  },
  {
    'adapters/fetch': 'Requests and responses as `Request` and `Response`.',
    'adapters/lambda': 'Events of AWS Lambda. The entry point `edict/lambda`.',
    'adapters/node': 'node:http and node:http2: requests, responses, draining, workers. The entry point `edict/node`.',
    'extend.ts': 'All that plugins and policies need of the core: the entry point `edict/extend`.',
  },
  { security: 'Security schemes, their verifiers, and the policy that they make.' },
  { 'application.ts': 'The application that users make: the server of an API with its `fetch`.' },
  { 'index.ts': 'The public names: the entry point `edict`.' },
  {
    'plugins/cors':
      'Cross-origin requests: preflights and headers that follow from declarations. The entry point `edict/cors`.',
    'plugins/cache': 'The policy `cacheControl`. The entry point `edict/cache`.',
    'plugins/access-log': 'One structured line for each response. The entry point `edict/access-log`.',
    'plugins/diagnostics': 'Events on channels of node:diagnostics_channel. The entry point `edict/diagnostics`.',
    'plugins/drift': 'Responses that break their declaration, counted and reported. The entry point `edict/drift`.',
    'plugins/health': 'Liveness and readiness, with checks. The entry point `edict/health`.',
    'plugins/security-headers': 'Headers that scanners expect of an API. The entry point `edict/security-headers`.',
    'plugins/opentelemetry':
      'Spans and metrics of requests and statements, on the API of OpenTelemetry. The entry point `edict/opentelemetry`.',
    'plugins/prometheus': 'A page of measurements for Prometheus. The entry point `edict/prometheus`.',
    'plugins/compression': 'Compressed responses. The entry point `edict/compression`.',
    'plugins/docs':
      'The documentation browser: a plugin that serves it, and the same as files. The entry point `edict/docs`.',
    'plugins/visibility':
      'Attributes that only some clients see, and who they are. The entry point `edict/visibility`.',
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
    'plugins/outbox':
      "Messages in a table of the application's own database, sent after the commit of the transaction in which they were written. The entry point `edict/outbox`.",
  },
  {
    'plugins/rate-limit':
      'The policy `rateLimit`, and the plugin that counts in a store. The entry point `edict/rate-limit`.',
    'plugins/channels':
      'Events that are published in one process and reach the streams of all: channels and their carriers. The entry points `edict/channels` and `edict/channels/suite`.',
    'plugins/conditional': 'Entity tags, conditional reads and changes. The entry point `edict/conditional`.',
    'plugins/idempotency':
      'The policy `idempotent`, and the plugin that records responses in a store. The entry point `edict/idempotency`.',
    'plugins/jwt': 'The verifier of JWTs, on jose. The entry point `edict/jwt`.',
    'plugins/sessions': 'Sessions in cookies, sealed or by id in a store. The entry point `edict/sessions`.',
    'plugins/pagination':
      'The params `pagination` and `order`, their plugin, pages and links. The entry points `edict/pagination` and `edict/pagination/extend`.',
  },
  {
    suites:
      'Suites for datastores, stores and carriers that others write. The entry points `edict/mapper/suite`, `edict/stores/suite` and `edict/channels/suite`.',
    mock: 'Applications made of declarations alone: entities, their rows, what actions do with them. The entry point `edict/mock`.',
  },
  {
    testing:
      'Tests: a client in process, `checkApplication` with its laws, examples and near misses. The entry point `edict/testing`.',
  },
  {
    bundler: 'Plugins for bundlers: tables of calls in place of declarations. The entry point `edict/bundler`.',
    cli: 'The command `edict`, one file for each command.',
  },
]
// One product on three floors: its folders may import each other without entry points.
const mapper = /^src\/plugins\/(query|datastores|mapper)\//
// Tools around plugins: of a plugin, they import what a package outside can, and of the rest of src/ all that is below.
const tools = /^src\/(mock|testing|cli|suites)\//
// Neighbours on one floor do not import each other, except these: they read the routing table.
const neighbours = new Set(['openapi → routing', 'contract → routing', 'client → routing'])
const mayUseNode = /^src\/(adapters|bundler|cli)\//
const builtins = new Set(builtinModules)

interface Import {
  readonly file: string
  readonly line: number
  readonly specifier: string
}

function findFloor(file: string): { folder: string; floor: number } | undefined {
  // A browser variant replaces its file, and stands on its floor.
  const path = file.slice('src/'.length).replace(/\.browser\.ts$/, '.ts')
  for (const [floor, folders] of floors.entries()) {
    const folder = Object.keys(folders).find((name) => path === name || path.startsWith(`${name}/`))
    if (folder !== undefined) return { folder, floor }
  }
  return undefined
}

function listImports(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => {
    return { file, line: text.slice(0, pos).split('\n').length, specifier: fileName }
  })
}

const NOT_EXPORTED = 'which no package outside can'

/** Returns the published entry points: plugins are built like a third-party package and import only these. */
function listEntryFiles(root: string): ReadonlySet<string> {
  const manifest = join(root, 'package.json')
  const published = existsSync(manifest) ? Object.values(JSON.parse(readFileSync(manifest, 'utf8')).exports) : []
  const scripts = published.flatMap((one) => (one as { readonly default?: string }).default ?? [])
  return new Set(scripts.map((script) => script.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts')))
}

/** Names the entry points of the plugin that a file belongs to. */
function listDoors(entryFiles: ReadonlySet<string>, file: string): string {
  const folder = /^src\/plugins\/[^/]+\//.exec(file)?.[0] ?? file
  const isNear = (door: string): boolean => door.startsWith(folder) || (mapper.test(file) && mapper.test(door))
  // The datastores of one product each are entry points, too: they have nothing to offer to tools.
  const doors = [...entryFiles].filter((door) => isNear(door) && /\/(index|extend)\.ts$/.test(door))
  return doors.length === 0 ? 'the entry point of its plugin' : doors.join(' or ')
}

function checkImport(root: string, entryFiles: ReadonlySet<string>, { file, specifier }: Import): string | undefined {
  const bare = specifier.replace(/^node:/, '')
  if (builtins.has(bare) || specifier !== bare) {
    if (mayUseNode.test(file)) return undefined
    return `imports Node's ${bare}. Remedy: use a web-standard global, or move the code to src/adapters/node or src/cli.`
  }
  if (/^edict(\/|$)/.test(specifier)) return 'imports its own package. Remedy: import the file by its relative path.'
  if (!specifier.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(file), specifier)
  if (!target.startsWith('src/')) return `imports ${target}, outside src/. Remedy: move what it needs into src/.`
  // A script that a build generates is next to its declaration.
  const files = [target, target.replace(/\.js$/, '.d.ts')]
  if (!files.some((one) => existsSync(join(root, one))))
    return `imports ${target}, which does not exist. Remedy: correct the path.`
  const plugin = /^src\/plugins\/[^/]+\//.exec(file)?.[0]
  const isOwn = target.startsWith(plugin ?? '') || (mapper.test(file) && mapper.test(target))
  if (!isOwn && !entryFiles.has(target))
    return `imports ${target}, ${NOT_EXPORTED}. Remedy: export what it needs from src/extend.ts, or from the entry point of that plugin.`
  if (tools.test(file) && target.startsWith('src/plugins/') && !entryFiles.has(target))
    return `imports ${target}, ${NOT_EXPORTED}. Remedy: import it from ${listDoors(entryFiles, target)}, and export it there if it is missing.`
  const [from, to] = [findFloor(file), findFloor(target)]
  if (from === undefined || to === undefined || from.folder === to.folder || to.floor < from.floor) return undefined
  if (neighbours.has(`${from.folder} → ${to.folder}`)) return undefined
  const what = `imports ${target} (${to.folder}, floor ${to.floor}) from ${from.folder}, floor ${from.floor}`
  return `${what}. Remedy: move what both need to a floor below ${from.floor}, or have a higher floor pass it in.`
}

/** Finds cycles among the files and subfolders of a folder, each subfolder taken as a whole: a floor is ordered inside, too. */
function findFolderCycles(imports: readonly Import[]): string[] {
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
  const reported = new Set<string>()
  return [...targets.keys()].flatMap((folder) => {
    const cycle = reported.has(folder) ? undefined : findCycle(targets, folder)
    if (cycle === undefined || cycle.every((step) => step.endsWith('.ts'))) return []
    for (const step of findCycleMembers(targets, folder)) reported.add(step)
    const steps = cycle.map((step, i) => causes.get(`${step} → ${cycle[(i + 1) % cycle.length]}`) as Import[])
    const [{ file, line, specifier } = {} as Import] = steps.sort((a, b) => a.length - b.length)[0] as Import[]
    const chain = [...cycle, folder].join(' → ')
    return `${file}:${line}: imports ${specifier}, which closes a circle of rooms: ${chain}. Remedy: move one of the two files to the room that needs it.`
  })
}

/** Returns the shortest cycle of each group of files that import each other. */
function findFileCycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { file, specifier } of imports)
    targets.set(file, [...(targets.get(file) ?? []), posix.join(posix.dirname(file), specifier)])
  const cycles = [...targets.keys()].map((file) => findCycle(targets, file)).filter((ring) => ring !== undefined)
  const reported = new Set<string>()
  const found: string[] = []
  for (const cycle of cycles.sort((one, other) => one.length - other.length)) {
    if (cycle.some((file) => reported.has(file))) continue
    for (const file of findCycleMembers(targets, cycle[0] as string)) reported.add(file)
    const [last, first] = [cycle.at(-1), cycle[0]] as [string, string]
    const closing = imports.find(
      ({ file, specifier }) => file === last && posix.join(posix.dirname(file), specifier) === first,
    )
    found.push(
      `${last}:${closing?.line}: closes a cycle: ${[...cycle, first].join(' → ')}. Remedy: move what they share to a third file.`,
    )
  }
  return found
}

/** Returns the shortest chain of imports from a file back to itself. */
function findCycle(targets: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const previous = new Map<string, string>()
  const queue = [start]
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const target of targets.get(file) ?? []) {
      if (target === start) {
        const cycle = [file]
        while (cycle[0] !== start) cycle.unshift(previous.get(cycle[0] as string) as string)
        return cycle
      }
      if (previous.has(target)) continue
      previous.set(target, file)
      queue.push(target)
    }
  }
  return undefined
}

/** Returns the files that are in a cycle with a file. */
function findCycleMembers(targets: ReadonlyMap<string, readonly string[]>, start: string): string[] {
  const reach = (from: string): Set<string> => {
    const seen = new Set([from])
    for (const file of seen) for (const target of targets.get(file) ?? []) seen.add(target)
    return seen
  }
  return [...reach(start)].filter((file) => reach(file).has(start))
}

/** Returns the TypeScript files of a folder, relative to `root`. */
function listFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => /^(?!.*node_modules\/).*\.ts$/.test(name)).map((name) => `${folder}/${name}`)
}

// The scripts for browsers contain `x.browser.ts` in place of `x.ts`, which every other file imports.
function findVariantViolations(files: readonly string[], imports: readonly Import[]): string[] {
  const alone = files.filter((file) => VARIANT.test(file) && !files.includes(file.replace(VARIANT, '.ts')))
  const imported = imports.filter(({ specifier }) => VARIANT.test(specifier))
  return [
    ...alone.map((file) => `${file}:1: replaces no file. Remedy: name it after the file that it replaces in browsers.`),
    ...imported.map(
      ({ file, line, specifier }) =>
        `${file}:${line}: imports ${specifier}. Remedy: import the file that it replaces; scripts/bundle.ts chooses.`,
    ),
  ]
}

const VARIANT = /\.browser\.ts$/

/** Returns every violation below `root`: file and line, the problem, and the remedy. */
export function findFloorViolations(root: string): string[] {
  const files = listFiles(root, 'src').filter((file) => !/\.test(-d)?\.ts$/.test(file))
  const unplaced = files.filter((file) => findFloor(file) === undefined)
  const imports = files.flatMap((file) => listImports(root, file))
  const relative = imports.filter(({ specifier }) => specifier.startsWith('.'))
  const fileCycles = findFileCycles(relative)
  const doors = listEntryFiles(root)
  const judged = imports
    .map((one) => ({ ...one, verdict: checkImport(root, doors, one) }))
    .filter(({ verdict }) => verdict)
  return [
    ...unplaced.map((file) => `${file}:1: is on no floor. Remedy: move it, or give it a floor in scripts/floors.ts.`),
    ...judged.map(({ file, line, verdict }) => `${file}:${line}: ${verdict}`),
    ...findVariantViolations(files, relative),
    ...findBuiltinViolations(root, files),
    ...findKindViolations(root, files),
    // A cycle of files is also a cycle of their folders, and is reported once.
    ...(fileCycles.length > 0 ? fileCycles : findFolderCycles(relative)),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.cwd()
  const violations = [...findFloorViolations(root), ...findInstanceViolations(root)]
  for (const violation of violations) console.error(violation)
  const hidden = violations.filter((one) => one.includes(NOT_EXPORTED)).length
  console.log(
    `floors: ${violations.length} violation(s); imports of and around plugins that no package outside could make: ${hidden}`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}
