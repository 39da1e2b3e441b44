// Generates a client of Prisma for each kind of database. Its command line wants to have an engine for migrations, which is
// not on npm and which generating does not use: any program stands in for it.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('.', import.meta.url))
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
for (const provider of ['sqlite', 'postgresql', 'mysql'])
  execFileSync(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', `--schema=schemas/${provider}.prisma`, '--no-hints'],
    { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] },
  )
