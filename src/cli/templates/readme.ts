// Builds the sections of a new project's README that depend on its choices.

import { databaseEngines, type ProjectChoices } from './choice-values.ts'
import type { TemplateValues } from './fill-template.ts'
import type { Stack } from './stack.ts'

/** Returns the template values of a project's README. */
export function buildReadmeValues(name: string, { database, orm, auth, docker, ci }: ProjectChoices): TemplateValues {
  const isServer = database !== 'sqlite'
  const startHint = docker ? ' `docker compose up -d database` starts one that is set up so.' : ''
  return {
    where: isServer ? 'where `DATABASE_URL` says' : 'in the file `data.db`, or where `DATABASE_URL` says',
    readmeDatabase: isServer
      ? [
          `Without \`DATABASE_URL\`, the database is \`${databaseEngines[database].url(name)}\`.${startHint}`,
          'Each test makes a database of its own on the same server, and removes it.',
          ...(database === 'mariadb' ? [COLLATION_NOTE] : []),
        ]
      : ['Under a process manager, run `node --import tsx src/server.ts`, without npm in between.'],
    readmeCredentials: credentialFlags[auth],
    readmeAuth: authSections[auth],
    readmeMigrations: migrationNotes[orm],
    readmeFiles: listFileRows(orm, auth),
    readmeHosting: [
      ...(docker ? ['| `Dockerfile`, `compose.yaml` | `docker compose up --build` runs everything. |'] : []),
      ...(ci
        ? ['| `.github/workflows/ci.yml` | Types, declarations, tests, indexes, and changes that break clients. |']
        : []),
    ],
  }
}

const COLLATION_NOTE =
  'Give the database a binary collation, so that lists are exact: `create database … collate utf8mb4_nopad_bin`.'

const credentialFlags: Readonly<Record<Stack['auth'], string>> = {
  none: '',
  'api-key': ' -H "X-Api-Key: $KEY"',
  jwt: ' -H "Authorization: Bearer $TOKEN"',
  password: ' -H "Authorization: Bearer $TOKEN"',
}

const authSections: Readonly<Record<Stack['auth'], readonly string[]>> = {
  none: [],
  'api-key': [
    '## Keys',
    '',
    'Every action needs a key, in the header `X-Api-Key`. The server knows only digests of keys, from `API_KEYS`:',
    '',
    '```sh',
    'export KEY=$(openssl rand -hex 24)                                    # for the client',
    'export API_KEYS="ada:$(printf %s "$KEY" | sha256sum | cut -c1-64)"    # for the server; several with commas',
    '```',
    '',
  ],
  jwt: [
    '## Tokens',
    '',
    'Every action needs a token of the issuer of your accounts, such as Auth0, Keycloak or Entra ID. Say who that is:',
    '',
    '```sh',
    'export JWT_ISSUER=https://accounts.example/     # exactly as tokens have it in `iss`',
    'export JWT_AUDIENCE=https://api.example         # this API, as tokens have it in `aud`',
    '```',
    '',
  ],
  password: [
    '## Accounts',
    '',
    'Users register with a name and a password of at least 15 characters, and log in for a token that is valid for 30 days.',
    'Every action on books needs such a token:',
    '',
    '```sh',
    'ada=\'{"name": "ada", "password": "correct horse battery staple"}\'',
    'curl -i localhost:3000/accounts --json "$ada"    # register',
    `export TOKEN=$(curl -s localhost:3000/tokens --json "$ada" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')    # log in`,
    'curl -i localhost:3000/accounts/me -H "Authorization: Bearer $TOKEN"',
    'curl -i -X DELETE localhost:3000/tokens/current -H "Authorization: Bearer $TOKEN"    # log out: revokes the token',
    '```',
    '',
    'The table of tokens has their digests, which nobody can use, and that of accounts has Argon2id hashes of passwords. Tokens of',
    'an account disappear with it. Ten attempts to register or log in are allowed per address and minute: behind a proxy, count',
    'by `forwardedFor(1)` in `src/design/accounts.ts`; for several processes, give `rateLimits` in `src/api.ts` a store that they',
    'share. Serve the API over TLS only. Verifying addresses, resetting passwords and second factors are left to you.',
    '',
  ],
}

const migrationNotes: Readonly<Record<Stack['orm'], readonly string[]>> = {
  drizzle: [
    'After a change of `src/tables.ts`, `npm run migration` writes the SQL for it into `migrations/`: read it, and commit it.',
  ],
  kysely: ['For a change of the tables, add a file to `migrations/` and a line to `migrations/index.ts`.'],
  none: ['For a change of the tables, add a file to `migrations/`, with the next number.'],
}

function listFileRows(orm: Stack['orm'], auth: Stack['auth']): string[] {
  return [
    ...(orm === 'drizzle' ? ["| `src/tables.ts` | The tables, which are Drizzle's. |"] : []),
    ...(orm === 'kysely' ? ['| `src/tables.ts` | The types of the tables, for Kysely. |'] : []),
    ...(auth === 'none' ? [] : ['| `src/design/security.ts`, `src/verifier.ts` | Who may call the API. |']),
    ...(auth === 'password'
      ? [
          '| `src/design/accounts.ts`, `src/controllers/accounts.ts` | Registering, logging in and out. |',
          '| `src/passwords.ts`, `src/stored-accounts.ts` | Hashes of passwords; accounts and tokens as the database has them. |',
        ]
      : []),
  ]
}
