// The snippets of docs/guide/deploying.md and docs/guide/runtimes.md: the files of docs/recipes, and those of `edict new`.
import { readFileSync } from 'node:fs'
import type { Shown } from '../../scripts/snippets.ts'
import { createProjectFiles } from '../../src/cli/templates/project.ts'
import { defaultChoices } from '../../src/cli/templates/questions.ts'

const recipe = (name: string) => (): string => readFileSync(new URL(`../recipes/${name}`, import.meta.url), 'utf8')
const files = createProjectFiles('library', '0.1.0', { ...defaultChoices, docker: true })

/** The files that the pages show. */
export const shown: Shown = {
  dockerfile: () => files['Dockerfile'] as string,
  service: recipe('api.service'),
  nginx: recipe('nginx.conf'),
  caddy: recipe('Caddyfile'),
  bun: recipe('bun.js'),
  deno: recipe('deno.js'),
  worker: recipe('worker.js'),
  wrangler: recipe('wrangler.toml'),
}
