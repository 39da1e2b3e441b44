// A datastore with replicas: a wrapper around the datastores of the nodes, which chooses the node of each call.
import type { Datastore } from '../../query/query.ts'
import type { DatabaseNodes } from './database-nodes.ts'

/** Runs a method on the datastore of a node. */
type RunOnNode<T> = <V>(work: (datastore: Datastore<T>) => Promise<V>) => Promise<V>

type Method = (...given: readonly never[]) => Promise<unknown>

const READS = ['select', 'count', 'estimate', 'snapshot'] as const
const WRITES = [
  'insert',
  'insertMany',
  'insertUnless',
  'update',
  'updateReturning',
  'upsert',
  'delete',
  'transaction',
  'lock',
  'findConflict',
] as const

/** Returns a datastore with the methods of another, which run where `read` and `write` decide. */
function routeMethods<T>(base: Datastore<T>, read: RunOnNode<T>, write: RunOnNode<T>): Datastore<T> {
  const route = (names: readonly (keyof Datastore<T>)[], run: RunOnNode<T>): Readonly<Record<string, Method>> =>
    Object.fromEntries(
      names
        .filter((name) => base[name] !== undefined)
        .map((name) => [name, (...given) => run((datastore) => (datastore[name] as Method)(...given))]),
    )
  return { ...base, ...route(READS, read), ...route(WRITES, write) }
}

/** Returns the datastore that cancels its statements for the signal of a request. */
type Bind<T> = (datastore: Datastore<T>) => Datastore<T>

function createBinding<T>(signal: AbortSignal): Bind<T> {
  const bound = new Map<Datastore<T>, Datastore<T>>()
  return (datastore) => {
    const known = bound.get(datastore) ?? datastore.withSignal?.(signal) ?? datastore
    bound.set(datastore, known)
    return known
  }
}

/** Creates the datastore of several nodes: it reads from replicas, and writes to the primary. */
export function createReplicatedDatastore<T>(
  nodes: DatabaseNodes<Datastore<T>>,
  bind: Bind<T> = (datastore) => datastore,
): Datastore<T> {
  const base = {
    ...bind(nodes.primary),
    withSignal: (signal: AbortSignal) => createReplicatedDatastore(nodes, createBinding(signal)),
  }
  const write: RunOnNode<T> = (work) => nodes.write((datastore) => work(bind(datastore)))
  return {
    ...routeMethods(base, (work) => nodes.read((datastore) => work(bind(datastore))), write),
    replication: {
      primary: routeMethods(base, (work) => nodes.readPrimary((datastore) => work(bind(datastore))), write),
      runAs: (caller, work) => nodes.callAs(caller, work),
      position: () => nodes.position(),
      ready: () => nodes.ready(),
    },
  }
}

/** Returns a datastore of a transaction on the primary: the caller of its writes reads from the primary from then on. */
export function markWrites<T>(datastore: Datastore<T>, nodes: DatabaseNodes<Datastore<T>>): Datastore<T> {
  const { withSignal } = datastore
  const marking = routeMethods<T>(
    datastore,
    (work) => work(datastore),
    (work) => {
      nodes.markWrite()
      return work(datastore)
    },
  )
  return withSignal === undefined
    ? marking
    : { ...marking, withSignal: (signal) => markWrites(withSignal(signal), nodes) }
}
