// Clients read what they wrote, also from replicas: the position of the log after their last write travels in a header, and
// comes back with their reads.
import { type IncomingRequest, type OutgoingResponse, type Plugin, type Policy, policy } from '../../extend.ts'
import { t } from '../../index.ts'
import type { Datastore } from '../query/query.ts'
import type { Caller, Replication } from '../query/replication.ts'

/** The header of the position, of answers and of requests. */
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
    sends: {
      [POSITION_HEADER]: {
        description: 'The position of the database after a write; send it with the next reads.',
        schema: { type: 'string' },
      },
    },
  })
}

type OwnWriteHooks = Required<Pick<Plugin, 'around' | 'answer'>>

const CALLERS = Symbol('callers')

/** Makes the hooks of an application that reads from replicas; none without them. */
export function createOwnWriteHooks(datastores: readonly Datastore[]): Partial<OwnWriteHooks> {
  const all = datastores.flatMap(({ replication }) => replication ?? [])
  if (all.length === 0) return {}
  return {
    around: (request, work) =>
      all.reduceRight((inner, one, i) => () => one.callAs(getCallers(request, all)[i] as Caller, inner), work)(),
    answer: (response, request) => addPositionHeader(response, request, all),
  }
}

// Reads have nothing to say about a database while it is changed: those of a change decide about it.
function getCallers(request: IncomingRequest, all: readonly Replication[]): Caller[] {
  const { state, headers } = request
  state[CALLERS] ??= createCallers(String(headers[POSITION_HEADER.toLowerCase()] ?? '').split(';'), !isRead(request), all.length)
  return state[CALLERS] as Caller[]
}

const createCallers = (positions: readonly string[], wrote: boolean, count: number): Caller[] =>
  Array.from({ length: count }, (_, i) => ({ position: positions[i] || undefined, wrote }))

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

const isRead = ({ method }: IncomingRequest): boolean => READ_METHODS.has(method)

async function addPositionHeader(
  response: OutgoingResponse,
  request: IncomingRequest,
  all: readonly Replication[],
): Promise<void> {
  if (!request.declaration?.policies.has(POLICY_NAME)) return
  const callers = getCallers(request, all)
  // A failed response acknowledges no write, and a database that failed is not asked.
  if (response.status >= 400 || callers.every(({ wrote }) => !wrote)) return
  const positions = await Promise.all(all.map((one) => one.position().catch(() => '')))
  if (positions.some((one) => one !== '')) response.set(POSITION_HEADER, positions.join(';'))
}
