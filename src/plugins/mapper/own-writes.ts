// Read-your-writes consistency with replicas: a response header carries the log position after a write, and clients send it
// with their reads.
import { type IncomingRequest, type OutgoingResponse, type Plugin, type Policy, policy } from '../../extend.ts'
import { t } from '../../index.ts'
import type { Datastore } from '../query/query.ts'
import type { Caller, Replication } from '../query/replication.ts'

/** The header of the log position, in responses and requests. */
const POSITION_HEADER = 'Data-Position'
const POLICY_NAME = 'own-writes'

const description =
  'The position of the database from the response to the last write of the client; reads return no older data.'

/**
 * Lets clients read their own writes from replicas: responses to writes have the header `Data-Position`, which clients send
 * with their reads. Without replicas it does nothing. The plugin `mapper` enforces it.
 */
export function ownWrites(): Policy {
  return policy({
    name: POLICY_NAME,
    plugin: 'mapper',
    remedy: "add mapper({ resources }) of edict/mapper to the application's plugins",
    headers: { [POSITION_HEADER]: t.string({ min: 1, max: 300, pattern: /^[0-9A-Za-z/:,;-]+$/, description }) },
    documentedHeaders: {
      [POSITION_HEADER]: {
        description: 'The position of the database after a write; send it with the next reads.',
        schema: { type: 'string' },
      },
    },
  })
}

type OwnWriteHooks = Required<Pick<Plugin, 'around' | 'response'>>

const CALLERS = Symbol('callers')

/** Creates the hooks of an application that reads from replicas; none without replicas. */
export function createOwnWriteHooks(datastores: readonly Datastore[]): Partial<OwnWriteHooks> {
  const replications = datastores.flatMap(({ replication }) => replication ?? [])
  if (replications.length === 0) return {}
  return {
    around: (request, work) =>
      replications.reduceRight(
        (inner, one, i) => () => one.runAs(getCallers(request, replications)[i] as Caller, inner),
        work,
      )(),
    response: (response, request) => addPositionHeader(response, request, replications),
  }
}

// Requests that may write read from the primary node, because those reads decide about the write.
function getCallers(request: IncomingRequest, replications: readonly Replication[]): Caller[] {
  const { state, headers } = request
  state[CALLERS] ??= createCallers(
    String(headers[POSITION_HEADER.toLowerCase()] ?? '').split(';'),
    !isRead(request),
    replications.length,
  )
  return state[CALLERS] as Caller[]
}

const createCallers = (positions: readonly string[], wrote: boolean, count: number): Caller[] =>
  Array.from({ length: count }, (_, i) => ({ position: positions[i] || undefined, wrote }))

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

const isRead = ({ method }: IncomingRequest): boolean => READ_METHODS.has(method)

async function addPositionHeader(
  response: OutgoingResponse,
  request: IncomingRequest,
  replications: readonly Replication[],
): Promise<void> {
  if (!request.declaration?.policies.has(POLICY_NAME)) return
  const callers = getCallers(request, replications)
  // A failed response acknowledges no write, and a failed database is not queried again.
  if (response.status >= 400 || callers.every(({ wrote }) => !wrote)) return
  const positions = await Promise.all(replications.map((one) => one.position().catch(() => '')))
  if (positions.some((one) => one !== '')) response.set(POSITION_HEADER, positions.join(';'))
}
