// The short storm of tests, and the laws that it must leave whole.
import { expect } from 'vitest'
import { type Cluster, OK, storm } from './storm.ts'

/** Lets a short storm go over a cluster, and insists that no law was broken. */
export async function withstands(open: () => Promise<Cluster>, kills: number, recovers = false): Promise<void> {
  const cluster = await open()
  try {
    const seen = await storm(cluster, { still: 40, writes: 6, walks: 3, recovers })
    expect(seen).toMatchObject({ ...OK, kills })
    expect(seen.ownReads).toBeGreaterThan(0)
  } finally {
    await cluster.end()
  }
}
