// All files of an imported application.
import type { Unsaid } from '../unsaid.ts'
import { arrow, call, list, literal, object, print, raw } from './code.ts'
import { endpointText, securityText, sharedTypes } from './design.ts'
import { Module } from './module.ts'
import { type Imported, type Plan, type PlannedEndpoint, planOf } from './plan.ts'
import { reportText } from './report.ts'

/** Writes the files of an application, by their paths in the folder. */
export function filesOf(imported: Imported, unsaid: readonly Unsaid[], source: string): Map<string, string> {
  const plan = planOf(imported)
  const files = new Map<string, string>()
  const shared = sharedTypes(plan)
  if (shared !== undefined) files.set('design/media-types.ts', shared)
  if (imported.schemes.length > 0) files.set('design/security.ts', securityText(imported.schemes, plan))
  for (const one of plan.endpoints) files.set(`design/${one.file}.ts`, endpointText(one, plan))
  for (const one of plan.endpoints) files.set(`controllers/${one.file}.ts`, controllerText(one))
  files.set('not-written.ts', NOT_WRITTEN)
  if (imported.schemes.length > 0) files.set('verifiers.ts', verifiersText(imported, plan))
  files.set('app.ts', applicationText(imported, plan))
  files.set('server.ts', SERVER)
  files.set('IMPORT.md', reportText(imported, unsaid, source))
  return files
}

function controllerText({ endpoint, name, controller, file }: PlannedEndpoint): string {
  const module = new Module(`The implementation of ${name}. Replace each \`notWritten\` with the action's own code.`)
  module.use(name, `../design/${file}.ts`)
  module.use('notWritten', '../not-written.ts')
  const stubs = endpoint.actions.map((one) => {
    const code = arrow(call('notWritten', literal(`${endpoint.name}.${one.name}`)))
    return [one.name, code] as const
  })
  const start = `export const ${controller} = `
  module.add(`/** Implements ${name}. */\n${start}${print(call(`${name}.implement`, object(stubs)), 0, start.length)}`)
  return module.text()
}

function verifiersText({ schemes }: Imported, { names }: Plan): string {
  const module = new Module('The verifiers of credentials. They reject everybody until they are written.')
  module.use('verifier')
  const calls = schemes.map((scheme) => {
    const name = module.use(names.get(scheme) as string, './design/security.ts')
    return call('verifier', raw(name), arrow(raw('undefined')))
  })
  const start = 'export const verifiers = '
  module.add(
    `/** One verifier for each scheme: return the principal of valid credentials. */\n${start}${print(list(calls), 0, start.length)}`,
  )
  return module.text()
}

function applicationText({ title, description, basePath, facts, schemes }: Imported, { endpoints }: Plan): string {
  const module = new Module('The application. Nothing listens yet: see server.ts.')
  module.use('application')
  for (const { controller, file } of endpoints) module.use(controller, `./controllers/${file}.ts`)
  if (schemes.length > 0) module.use('verifiers', './verifiers.ts')
  const options = object([
    ['title', literal(title)],
    ['description', description === undefined ? undefined : literal(description)],
    ...Object.entries(facts).map(([name, value]) => [name, literal(value)] as const),
    ['basePath', basePath === undefined ? undefined : literal(basePath)],
    ['controllers', list(endpoints.map(({ controller }) => raw(controller)))],
    ['verifiers', schemes.length === 0 ? undefined : raw('verifiers')],
  ])
  const start = 'export const app = '
  module.add(`/** The API. */\n${start}${print(call('application', options), 0, start.length)}`)
  return module.text()
}

const SERVER = `// Serves the application until the process gets a signal to stop.
import { serve } from 'edict/node'
import { app } from './app.ts'

const { url } = await serve(app)
console.log(\`\${app.title} is at \${url}\${app.basePath}\`)
`

const NOT_WRITTEN = `// The answer of actions that are not written yet.
import { Refusal } from 'edict/extend'

/** Answers with 501 in the place of an action. */
export function notWritten(action: string): never {
  const detail = \`\${action} is not written yet.\`
  throw new Refusal({ code: 'not-written', status: 501, title: 'Not Implemented', detail })
}
`
