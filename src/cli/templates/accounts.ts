// Adds the tables of accounts and tokens to a new project whose users log in with passwords.
import { addTable, type ProjectFiles, RESOURCES_FILE } from './add-resource.ts'
import { parseAttributes } from './attributes.ts'
import { type FileTexts, insertLines, withNames } from './registration.ts'
import { createResourcesFile } from './resource-files.ts'
import { deriveNames } from './resource-names.ts'
import type { Stack } from './stack.ts'
import { type GeneratedTable, referenceKind, type TableColumn } from './tables.ts'

const listColumns = (...definitions: string[]): TableColumn[] =>
  parseAttributes(definitions).map((one) => ({ ...one, ordered: false }))

const accountTable: GeneratedTable = {
  names: deriveNames('account'),
  columns: listColumns('name:string:unique', 'password_hash:string'),
  indexReason: 'Nobody gets the name of another account, not even at the same moment.',
}

const tokenTable: GeneratedTable = {
  names: deriveNames('token'),
  columns: [
    ...listColumns('digest:string:unique', 'expires_at:dateTime'),
    {
      name: 'account_id',
      kind: referenceKind,
      nullable: false,
      unique: false,
      ordered: true,
      references: accountTable.names.table,
    },
  ],
  indexReason: 'Tokens are found by their digests, and those that have expired by their accounts.',
}

/** Adds the tables and the resources of accounts and tokens to the files of a project, in place. */
export function addAccounts(texts: FileTexts, files: ProjectFiles, stack: Stack): void {
  for (const table of [accountTable, tokenTable]) {
    const { created, index } = addTable(files, table, stack)
    Object.assign(texts, created, index)
  }
  const [accounts, tokens] = [accountTable, tokenTable].map(({ names }) => {
    return stack.orm === 'drizzle' ? `tables.${names.value}` : `'${names.table}'`
  })
  const lines = [
    `const accounts = resource(datastore, StoredAccount, { table: ${accounts} })`,
    'const tokens = resource(datastore, StoredToken, {',
    `  table: ${tokens},`,
    "  key: ['digest'],",
    "  attributes: { account: one(accounts, { account_id: 'id' }) },",
    '})',
  ]
  texts[RESOURCES_FILE] = withNames(createResourcesFile(stack), 'edict/mapper', ['one'])
  insertLines(texts, [
    [RESOURCES_FILE, 'imports', "import { StoredAccount, StoredToken } from './stored-accounts.ts'"],
    ...lines.map((line) => [RESOURCES_FILE, 'resources', line] as const),
    [RESOURCES_FILE, 'names', 'accounts,'],
    [RESOURCES_FILE, 'names', 'tokens,'],
  ])
}
