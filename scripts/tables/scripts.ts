// One sentence for each npm script: CONTRIBUTING.md shows them as a table.

/** The descriptions of the scripts of package.json, keyed by name. */
export const scriptNotes: Readonly<Record<string, string | undefined>> = {
  prestart:
    'Makes `src/plugins/docs/scalar.js`, the script of the documentation browser, where it is missing; `npm start` runs it first.',
  start: 'Serves the example of `examples/blog`.',
  build: 'Writes `dist/` from nothing.',
  test: 'Runs the checks and tests that take no more than minutes, and names those that it leaves to CI; `npm test -- all` runs all, `npm test -- lint floors` these steps.',
  'test:watch': 'Runs the tests of changed files while you write; `npx vitest run src/path` runs a part once.',
  'test:scale':
    'Kills node after node of PostgreSQL behind PgBouncer, MariaDB (Galera, GTID) and rqlite, under walks and writes, and prints a table; restarts Redis.',
  'test:coverage': 'Runs the tests with coverage, in `coverage/index.html`.',
  check: 'Runs every check, without the tests; each of them is one of the next scripts.',
  'check:lint': 'Runs Biome (style, formatting, order of imports) and oxlint (forgotten promises).',
  'check:types': 'Checks the types of the repository with TypeScript 7.',
  'check:types-5.9': 'Checks the types with TypeScript 5.9, the oldest compiler that edict supports.',
  'check:consumer':
    'Checks the built declarations and the examples with both compilers, as a project of a user sees them; builds `dist/` if it is missing or old.',
  'check:floors': 'Checks which folder imports which, and that folders stay small.',
  'check:exports':
    'Compares the public names with `scripts/public-exports.json` and asks for their JSDoc, on a build of now; `-- --write` records a change.',
  'check:dead': 'Finds files, exports and dependencies that nothing uses.',
  'check:package': 'Checks that the package resolves for its users; builds `dist/` if it is missing or old.',
  'check:rules':
    'Lists the rules that tests prove, from the last `npm test -- tests`; `-- --require DEF,ACT` fails on gaps.',
  'check:type-budget':
    'Counts what a small API and a realistic one of up to 2,000 actions cost the compiler; `-- --write` records a change.',
  'check:dependencies':
    'Lists all packages that edict installs or can use, each with its reason; one without a reason fails. A test runs it.',
  'check:commits': 'Checks the subjects of commits.',
  bench: 'Runs a measurement by its name, see below.',
  campaign: 'Runs a campaign of tests by its name, see below.',
  format: 'Lets Biome write the formatting.',
  figures:
    'Prints what the sources are made of: sizes, imports, names, comments; `-- folder` measures another tree, `-- --against <commit>` prints an earlier revision beside it, `-- --names` lists functions without a verb.',
  tables: 'Compares the generated tables of the documentation with the code; `-- --write` writes them.',
  site: 'Builds the site of the documentation in `docs/site/dist`, and checks its links; `-- --serve` serves it. Its packages: `npm ci --prefix docs/site`.',
  prepublishOnly: 'Runs `npm test` before a release.',
}
