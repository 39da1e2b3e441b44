// The configuration of tests that are meant to fail.
import { defineConfig } from 'vitest/config'
import usual from '../../../../vitest.config.ts'
import { guardPlugin } from '../plugin.ts'

export default defineConfig({
  ...(usual.resolve !== undefined && { resolve: usual.resolve }),
  plugins: [guardPlugin],
  test: { include: ['test/support/guard/planted/*.planted.ts'], setupFiles: ['./test/support/guard/setup.ts'] },
})
