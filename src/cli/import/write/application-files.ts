// Renders all files of an imported application.
import type { Unsupported } from '../unsupported.ts'
import { buildArrow, buildCall, buildList, buildLiteral, buildObject, buildRaw, printCode } from './code.ts'
import { renderEndpoint, renderSecurity, renderSharedTypes } from './design-files.ts'
import { type FilePlan, type ImportedApi, type PlannedEndpoint, planFiles } from './file-plan.ts'
import { GeneratedModule } from './generated-module.ts'
import { renderReport } from './import-report.ts'

/** Renders the files of an application, keyed by path. */
export function renderFiles(
  imported: ImportedApi,
  unsupported: readonly Unsupported[],
  source: string,
): Map<string, string> {
  const plan = planFiles(imported)
  const files = new Map<string, string>()
  const shared = renderSharedTypes(plan)
  if (shared !== undefined) files.set('design/media-types.ts', shared)
  if (imported.schemes.length > 0) files.set('design/security.ts', renderSecurity(imported.schemes, plan))
  for (const one of plan.endpoints) files.set(`design/${one.file}.ts`, renderEndpoint(one, plan))
  for (const one of plan.endpoints) files.set(`controllers/${one.file}.ts`, renderController(one))
  files.set('not-written.ts', NOT_WRITTEN_FILE)
  if (imported.schemes.length > 0) files.set('verifiers.ts', renderVerifiers(imported, plan))
  files.set('app.ts', renderApplication(imported, plan))
  files.set('server.ts', SERVER_FILE)
  files.set('IMPORT.md', renderReport(imported, unsupported, source))
  return files
}

function renderController({ endpoint, name, controller, file }: PlannedEndpoint): string {
  const module = new GeneratedModule(
    `The implementation of ${name}. Replace each \`notWritten\` with the action's own code.`,
  )
  module.importName(name, `../design/${file}.ts`)
  module.importName('notWritten', '../not-written.ts')
  const stubs = endpoint.actions.map((one) => {
    const code = buildArrow(buildCall('notWritten', buildLiteral(`${endpoint.name}.${one.name}`)))
    return [one.name, code] as const
  })
  const start = `export const ${controller} = `
  module.add(
    `/** Implements ${name}. */\n${start}${printCode(buildCall(`${name}.implement`, buildObject(stubs)), 0, start.length)}`,
  )
  return module.render()
}

function renderVerifiers({ schemes }: ImportedApi, { names }: FilePlan): string {
  const module = new GeneratedModule('The verifiers of credentials. They reject everybody until they are written.')
  module.importName('verifier')
  const calls = schemes.map((scheme) => {
    const name = module.importName(names.get(scheme) as string, './design/security.ts')
    return buildCall('verifier', buildRaw(name), buildArrow(buildRaw('undefined')))
  })
  const start = 'export const verifiers = '
  module.add(
    `/** One verifier for each scheme: return the principal of valid credentials. */\n${start}${printCode(buildList(calls), 0, start.length)}`,
  )
  return module.render()
}

function renderApplication(
  { title, description, basePath, metadata: facts, schemes }: ImportedApi,
  { endpoints }: FilePlan,
): string {
  const module = new GeneratedModule('The application. Nothing listens yet: see server.ts.')
  module.importName('application')
  for (const { controller, file } of endpoints) module.importName(controller, `./controllers/${file}.ts`)
  if (schemes.length > 0) module.importName('verifiers', './verifiers.ts')
  const options = buildObject([
    ['title', buildLiteral(title)],
    ['description', description === undefined ? undefined : buildLiteral(description)],
    ...Object.entries(facts).map(([name, value]) => [name, buildLiteral(value)] as const),
    ['basePath', basePath === undefined ? undefined : buildLiteral(basePath)],
    ['controllers', buildList(endpoints.map(({ controller }) => buildRaw(controller)))],
    ['verifiers', schemes.length === 0 ? undefined : buildRaw('verifiers')],
  ])
  const start = 'export const app = '
  module.add(`/** The API. */\n${start}${printCode(buildCall('application', options), 0, start.length)}`)
  return module.render()
}

const SERVER_FILE = `// Serves the application until the process gets a signal to stop.
import { serve } from 'edict/node'
import { app } from './app.ts'

const { url } = await serve(app)
console.log(\`\${app.title} is at \${url}\${app.basePath}\`)
`

const NOT_WRITTEN_FILE = `// The response of actions that are not written yet.
import { Refusal } from 'edict/extend'

/** Responds with 501 instead of an action. */
export function notWritten(action: string): never {
  const detail = \`\${action} is not written yet.\`
  throw new Refusal({ code: 'not-written', status: 501, title: 'Not Implemented', detail })
}
`
