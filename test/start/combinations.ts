// Every combination of choices that `edict new` offers, and projects made of them, which share one folder of packages.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ProjectChoices } from '../../src/cli/templates/choice-values.ts'
import { createProjectFiles } from '../../src/cli/templates/project.ts'
import { stackChoices } from '../../src/cli/templates/stack.ts'
import { installPacked, link } from '../support/packed.ts'

const onOff = [false, true] as const

/** The whole product of the choices. */
export const combinations: readonly ProjectChoices[] = stackChoices.database.flatMap((database) =>
  stackChoices.orm.flatMap((orm) =>
    stackChoices.auth.flatMap((auth) =>
      stackChoices.tests.flatMap((tests) =>
        onOff.flatMap((docker) => onOff.map((ci) => ({ database, orm, auth, tests, docker, ci }))),
      ),
    ),
  ),
)

const otherAuths = stackChoices.auth.filter((auth) => auth !== 'password')

/**
 * One combination of each database and ORM; together they have every authentication and both test runners. Passwords, which
 * have tables, are there with each database and each ORM.
 */
const stacks: readonly ProjectChoices[] = stackChoices.database.flatMap((database, i) =>
  stackChoices.orm.map((orm, j) => {
    const distance = (j - i + 3) % 3
    return {
      database,
      orm,
      auth: distance === 0 ? 'password' : (otherAuths[(i + distance - 1) % 3] as ProjectChoices['auth']),
      tests: stackChoices.tests[(i + distance) % 2] as ProjectChoices['tests'],
      docker: false,
      ci: false,
    }
  }),
)

/** Some of them: every database, ORM, authentication and test runner is there, and passwords with each database and ORM. */
export const fewStacks: readonly ProjectChoices[] = stacks.filter((_, index) => [0, 1, 4, 5, 6, 8].includes(index))

/** All of them, and passwords in every combination of a database and an ORM: what the campaign of laws takes. */
export const allStacks: readonly ProjectChoices[] = [
  ...stacks,
  ...stacks.flatMap((stack) => (stack.auth === 'password' ? [] : [{ ...stack, auth: 'password' } as const])),
]

/** A name for a combination, as a folder may have it. */
export const nameOf = ({ database, orm, auth, tests, docker, ci }: ProjectChoices): string =>
  [database, orm === 'none' ? 'plain' : orm, auth, tests, ...(docker ? ['docker'] : []), ...(ci ? ['ci'] : [])].join(
    '-',
  )

/** Installs edict as it is packed, and every package that a project may need, in a folder. */
export function installAll(root: string): void {
  installPacked(root)
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const wanted = new Set(
    combinations.flatMap((chosen) => {
      const manifest = JSON.parse(createProjectFiles('x', '0', chosen)['package.json'] as string)
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    }),
  )
  for (const name of ['edict', '@types/node']) wanted.delete(name)
  for (const name of [...wanted, '@stricli/core']) {
    if (name !== '@stricli/core' && devDependencies[name] === undefined) throw new Error(`${name} was not tested`)
    link(resolve('node_modules', name), join(root, 'node_modules', name))
  }
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }')
}

/** Writes a project below a folder, and gives where it is. */
export function write(root: string, name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, name, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return join(root, name)
}

/** Runs the compiler on a folder with a tsconfig.json; what it says is the error. */
export function compile(folder: string): string {
  try {
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
