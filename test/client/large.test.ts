// Large files by the client, as streams; `npm run campaign -- large` has 200 MB.
import { expect, it } from 'vitest'
import { exchanged } from './large/measure.ts'

it('sends and receives large files as streams, in memory that does not grow with them', {
  timeout: 60_000,
}, async () => {
  const size = 32 * 2 ** 20
  const { kept, received, upload, download, grown } = await exchanged(32)
  expect({ kept, received, sent: upload[0], read: download[0] }).toEqual({
    kept: `${size}`,
    received: size,
    sent: size,
    read: size,
  })
  expect(upload[1]).toBeGreaterThan(100)
  expect(download[1]).toBeGreaterThan(100)
  expect(grown).toBeLessThan(24)
})
