// One sentence for each folder of test/: ARCHITECTURE.md shows them as a table.

/** The subjects of the folders of test/, keyed by name. */
export const testNotes: Readonly<Record<string, string | undefined>> = {
  declarations: 'Endpoints, actions, controllers, callbacks; `mistakes/` has declarations that do not boot.',
  inputs: 'Params, payloads and headers: where values come from, what they become, and what is refused.',
  responses: 'Bodies and headers that leave, in development and in production.',
  streams: 'Streams of events: on the wire, in clients and browsers, in documents and tools.',
  channels: 'Events carried between processes: carriers, their suite, and the streams of clients.',
  errors: 'Problem documents, for refused input and for whatever an application throws.',
  routing: 'Routes, precedence, canonical paths, targets of requests, versions.',
  serving: 'Applications behind sockets and as processes.',
  plugins: 'Points, policies, security, and a package of plugins of its own, against the packed tarball.',
  elsewhere: 'TLS and HTTP/2, frameworks that an application is mounted in, AWS Lambda: the responses of `app.fetch`.',
  browsers: 'Features for browsers and caches: cross-origin requests, freshness, compression, security headers.',
  lists: 'Lists from datastores: their params, every type of column, walks along links, what they cost, every engine.',
  observability:
    'Observability: traces, metrics, secrets kept out of logs, health, the access log, diagnostics, drift.',
  pagination: 'Lists that a controller gives: pages, options, refusals, walks.',
  documentation: 'OpenAPI documents and the documentation browser; `clients/` is a client that others generate.',
  credentials: 'JWTs, sessions, and what other sites may not do with them.',
  scale: 'More than one machine: walks and writes over clusters of databases whose nodes are killed.',
  stores: 'Stores, and what is kept in them: limits, idempotency keys, sessions, in one process and in three.',
  contract: 'Contracts and their differences.',
  client: 'The typed client.',
  bundler: 'Front ends whose bundlers put tables of calls in place of declarations.',
  editor: 'Compilers and editors: typical mistakes, definitions, renames, completions, hovers; `cinema/` is their API.',
  testing: 'The test kit: faults that it finds, values for tests, parts of applications replaced.',
  mock: 'Mocks from declarations alone.',
  cli: 'The command line as child processes, and the way of a newcomer.',
  import: 'OpenAPI documents of others imported: compiled, served, compared with what they were.',
  start:
    'Projects of `edict new` in every combination, compiled, started and deployed: containers, systemd, proxies, runtimes.',
  repository: 'The example, the tutorial, the snippets, the pages and the package are what they say.',
  campaigns: 'Short forms of campaigns, and each campaign in a folder of its own.',
  support: 'Helpers of tests; see below.',
}
