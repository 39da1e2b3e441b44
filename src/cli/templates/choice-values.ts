// The template values of each choice: names of clients, dialects and services.
import type { TemplateValues } from './fill-template.ts'
import type { Database, Stack } from './stack.ts'

/** All choices of a new project. */
export interface ProjectChoices extends Stack {
  readonly docker: boolean
  readonly ci: boolean
}

interface DatabaseEngine {
  readonly name: string
  /** Returns the default URL of a project's database. */
  url(project: string): string
  /** The lines that close a client, when the ORM does not. */
  readonly closing: readonly string[]
}

const toDatabaseName = (project: string): string => project.replaceAll(/[^a-z0-9]/g, '_')

/** The supported databases. */
export const databaseEngines: Readonly<Record<Database, DatabaseEngine>> = {
  sqlite: {
    name: 'SQLite',
    url: () => 'file:data.db',
    closing: [
      '/** Closes it. */',
      'export const close = async (database: Libsql.Database): Promise<void> => void database.close()',
    ],
  },
  postgresql: {
    name: 'PostgreSQL',
    url: (project) => `postgres://postgres:postgres@localhost:5432/${toDatabaseName(project)}`,
    closing: ['/** Ends its connections. */', 'export const close = (pool: pg.Pool): Promise<void> => pool.end()'],
  },
  mariadb: {
    name: 'MariaDB',
    url: (project) => `mysql://root:mariadb@localhost:3306/${toDatabaseName(project)}`,
    closing: [
      '/** Ends its connections. */',
      'export const close = (pool: Pool): Promise<void> => pool.promise().end()',
    ],
  },
}

const drizzleValues: Readonly<Record<Database, TemplateValues>> = {
  sqlite: { driver: 'libsql', kitDialect: 'sqlite', run: 'run' },
  postgresql: { driver: 'node-postgres', kitDialect: 'postgresql', run: 'execute' },
  mariadb: { driver: 'mysql2', kitDialect: 'mysql', run: 'execute' },
}

const kyselyValues: Readonly<Record<Database, TemplateValues>> = {
  sqlite: { dialectClass: 'SqliteDialect', dialectOption: 'database' },
  postgresql: { dialectClass: 'PostgresDialect', dialectOption: 'pool' },
  mariadb: { dialectClass: 'MysqlDialect', dialectOption: 'pool' },
}

const driverValues: Readonly<Record<Database, TemplateValues>> = {
  sqlite: {
    clientName: 'libsql',
    datastoreFunction: 'betterSqlite3Datastore',
    datastoreEntry: 'better-sqlite3',
    ping: "async () => client.prepare('select 1').all()",
  },
  postgresql: {
    clientName: 'pg',
    datastoreFunction: 'pgDatastore',
    datastoreEntry: 'pg',
    ping: "() => client.query('select 1')",
  },
  mariadb: {
    clientName: 'mysql2',
    datastoreFunction: 'mysql2Datastore',
    datastoreEntry: 'mysql2',
    ping: "() => client.promise().query('select 1')",
  },
}

/** The environment variables that configure a project's authentication. */
const authVariables: Readonly<Record<Stack['auth'], readonly string[]>> = {
  none: [],
  'api-key': ['API_KEYS'],
  jwt: ['JWT_ISSUER', 'JWT_AUDIENCE'],
  password: [],
}

/** Returns the template values of a project's choices. */
export function buildChoiceValues({ database, orm, auth }: ProjectChoices): TemplateValues {
  const databaseValues = { drizzle: drizzleValues, kysely: kyselyValues, none: driverValues }[orm][database]
  const secrets = authVariables[auth].map((name) => `${name}: \${${name}:?}`)
  return {
    ...databaseValues,
    dockerData: database === 'sqlite' ? SQLITE_VOLUME : [],
    composeSecrets: secrets,
    composeEnvironment: secrets.length === 0 ? [] : ['environment:', ...secrets.map((line) => `  ${line}`)],
    ciServices: CI_SERVICES[database],
  }
}

const SQLITE_VOLUME = [
  '# The database outlives its container in this volume.',
  'RUN install -d -o node -g node /data',
  'ENV DATABASE_URL=file:/data/data.db',
  'VOLUME /data',
]

const CI_SERVICES: Readonly<Record<Database, readonly string[]>> = {
  sqlite: [],
  postgresql: [
    'services:',
    '  database:',
    '    image: postgres:18',
    "    ports: ['5432:5432']",
    '    env:',
    '      POSTGRES_PASSWORD: postgres',
    '    options: --health-cmd=pg_isready --health-interval=2s --health-retries=30',
    'env:',
    '  DATABASE_URL: postgres://postgres:postgres@localhost:5432/postgres',
  ],
  mariadb: [
    'services:',
    '  database:',
    '    image: mariadb:11.8',
    "    ports: ['3306:3306']",
    '    env:',
    '      MARIADB_ROOT_PASSWORD: mariadb',
    '      MARIADB_DATABASE: api',
    '    options: --health-cmd="healthcheck.sh --connect --innodb_initialized" --health-interval=2s --health-retries=30',
    'env:',
    '  DATABASE_URL: mysql://root:mariadb@localhost:3306/api',
  ],
}
