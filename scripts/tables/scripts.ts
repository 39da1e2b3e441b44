// One sentence for each npm script: CONTRIBUTING.md shows them as a table.

/** What the scripts of package.json do, by their names. */
export const scriptNotes: Readonly<Record<string, string | undefined>> = {
  prestart:
    'Makes `src/plugins/docs/scalar.js`, the script of the documentation browser, where it is missing; `npm start` runs it first.',
  start: 'Serves the example of `examples/blog`.',
  build: 'Writes `dist/` from nothing.',
  test: 'Runs every check of `scripts/test.ts` in order; `npm test -- lint floors` runs some.',
  'test:hostile':
    'Sends the corpus of hostile requests to edict, Fastify and Hono; `-- PCT JSN` sends these groups only.',
  'test:bare':
    'Clones HEAD and runs the commands of the README and every cheap script there, as on a machine with Node and nothing else.',
  unit: 'Runs all tests once, type tests included; `npm run unit -- src/path` runs a part.',
  'unit:watch': 'Runs the tests of changed files while you write.',
  'test:fuzz':
    'Runs a campaign of generated requests from a new seed; `-- --minutes 10` for longer, `-- --seed 7` to repeat one.',
  'test:mutation':
    'Puts faults into the sources that changed and asks the tests to notice them; `-- src/client --sample 0.1` for a tenth of a folder, `-- --all` for all.',
  'test:compat': 'Runs every case of the compatibility suite on every runtime, and through nginx.',
  dependencies: 'Lists all packages that edict installs or can use, each with its reason; one without a reason fails.',
  'unit:report': 'Runs all tests once and leaves a report for `npm run conformance`.',
  'test:faults':
    'Runs faults and load against a server; `-- --without <safeguard>` takes a safeguard out and expects failures.',
  coverage: 'Runs the tests with coverage, in `coverage/index.html`.',
  lint: 'Runs Biome (style, formatting, order of imports) and oxlint (forgotten promises).',
  format: 'Lets Biome write the formatting.',
  typecheck: 'Checks the types of the repository with TypeScript 7.',
  'typecheck:5.9': 'Checks the types with TypeScript 5.9, the oldest compiler that edict supports.',
  'typecheck:consumer':
    'Checks the built declarations and the examples with both compilers, as a project of a user sees them; builds `dist/` if it is missing or old.',
  floors: 'Checks which folder imports which.',
  tables: 'Compares the generated tables of the documentation with the code; `-- --write` writes them.',
  exports:
    'Compares the public names with `scripts/public-exports.json` and asks for their JSDoc, on a build of now; `-- --write` records a change.',
  deadcode: 'Finds files, exports and dependencies that nothing uses.',
  'package-check': 'Checks that the package resolves for its users; builds `dist/` if it is missing or old.',
  conformance:
    'Lists the rules that tests prove, from the last `npm run unit:report`; `-- --require DEF,ACT` fails on gaps.',
  bench: 'Compares the CPU time of a request with that of other frameworks.',
  'bench:quick': 'Guards the speed: compares short ratios and counted instructions with the recorded ones.',
  'bench:cold': 'Measures cold starts: CPU until the first answer with 200 routes, and memory.',
  'bench:types': 'Measures what the same 200 actions cost the compiler in edict and in its peers.',
  'bench:growth': 'Measures how cost grows with routes, attributes, items, depth and connections.',
  'bench:micro': 'Measures the router, payloads, bodies and queries by themselves against those of others.',
  'bench:router': 'Measures the router: time per lookup, and growth with routes and with hostile paths.',
  'bench:lists': 'Measures lists from databases against an endpoint written by hand.',
  'types:budget': 'Counts what an API of 50, 100 and 200 actions costs the compiler; `-- --write` records a change.',
  prepublishOnly: 'Runs `npm test` before a release.',
}
