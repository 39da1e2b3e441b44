// Settings of drizzle-kit.
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './examples/conduit/tables.ts',
  out: './examples/conduit/migrations',
})
