// What serve says when it cannot listen.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { serve } from './index.ts'

it('a port in use is named together with the remedy', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const serving = serve({ handle() {} }, { port, host: '127.0.0.1', signals: false, fatal: false })
  await expect(serving).rejects.toThrow(`Port ${port} is in use; stop the program that uses it`)
  await expect(serving).rejects.toMatchObject({ code: 'EADDRINUSE' })
  other.close()
})
