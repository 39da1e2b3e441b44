// `edict diff`: prints the changes between two contracts, and whether they break clients.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import util from 'node:util'
import { buildCommand, type Command } from '@stricli/core'
import type { Contract } from '../../contract/contract.ts'
import { diffContracts } from '../../contract/diff/diff.ts'
import { formatChanges, type ListedChange } from '../change-list.ts'
import { CommandError, describeError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { loadApplication } from '../load-application.ts'

interface DiffFlags {
  readonly json: boolean
  readonly allow?: readonly string[]
}

const createSideParameter = (brief: string) => ({
  placeholder: brief.split(' ')[1] as string,
  parse: String,
  brief: `${brief}: a file of edict contract, or an application`,
})

/** The command that compares contracts. */
export const diffCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Compare two contracts',
    fullDescription: formatDescription(
      `Prints what changed between two contracts, breaking changes first. Each side is a JSON file that edict contract
wrote, or a file that exports an application. Ends with 0 if nothing breaks clients, with 1 if something does, and with 2
if there is nothing to compare.`,
      {
        'edict diff contract.json src/app.ts': 'before a release, or in CI',
        'edict diff contract.json src/app.ts --allow type-changed': 'accept breaking changes by their rules',
        'edict diff old.json new.json --json': 'print the changes as JSON',
      },
    ),
  },
  parameters: {
    flags: {
      json: { kind: 'boolean', default: false, withNegated: false, brief: 'Print the changes as JSON' },
      allow: {
        kind: 'parsed',
        parse: parseRules,
        optional: true,
        placeholder: 'rules',
        brief: 'Rules of breaking changes to accept, comma-separated',
      },
    },
    positional: {
      kind: 'tuple',
      parameters: [createSideParameter('The old side'), createSideParameter('The new side')],
    },
  },
  func: printDifferences,
})

function parseRules(text: string): readonly string[] {
  const rules = text.split(',').map((rule) => rule.trim())
  if (rules.every((rule) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule))) return rules
  throw new SyntaxError('say rules as edict diff prints them, such as value-removed,input-moved')
}

async function printDifferences(
  this: CliContext,
  { json, allow = [] }: DiffFlags,
  previous: string,
  current: string,
): Promise<void> {
  const { process } = this
  let sides: readonly [Contract, Contract]
  try {
    sides = [await loadContract(previous, this), await loadContract(current, this)]
  } catch (error) {
    // A failure to compare must not look like a breaking change.
    process.stderr.write(`${describeError(error)}\n`)
    process.exitCode = 2
    return
  }
  const changes = diffContracts(...sides).map((change): ListedChange => {
    return change.kind === 'breaking' && allow.includes(change.rule) ? { ...change, allowed: true } : change
  })
  const { stdout } = process
  const colours = (stdout.hasColors?.() && 'styleText' in util) ?? false
  stdout.write(json ? `${JSON.stringify(changes, null, 2)}\n` : formatChanges(changes, colours))
  process.exitCode = changes.some(({ kind, allowed }) => kind === 'breaking' && !allowed) ? 1 : 0
}

// --- the sides -----------------------------------------------------------------------

async function loadContract(file: string, context: CliContext): Promise<Contract> {
  if (file.endsWith('.json')) return readContract(resolve(context.cwd, file))
  const app = await loadApplication({ app: file }, context)
  if (typeof app.contract === 'function') return app.contract()
  throw new CommandError(`The application of ${file} has no contract.`, 'update the edict that it is made with')
}

function readContract(file: string): Contract {
  const remedy = 'write it with: edict contract > contract.json'
  let data: Partial<Contract> | null
  try {
    data = JSON.parse(readFileSync(file, 'utf8')) as Partial<Contract> | null
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`, remedy)
  }
  if (data?.contract === 1 && Array.isArray(data.endpoints) && typeof data.schemas === 'object') return data as Contract
  throw new CommandError(`${file} is no contract.`, remedy)
}
