// The names of responses and the messages of their statuses.
import { expect, it } from 'vitest'
import { builtinStatuses, findBuiltinStatus, statusMessages } from './status.ts'

const camelCase = (message: string): string =>
  message
    .replaceAll("'", '')
    .toLowerCase()
    .replace(/[ -](.)/g, (_, letter: string) => letter.toUpperCase())

it('[RSP-03] every status has a name, its standard message in camel case', () => {
  const derived = Object.entries(statusMessages).map(([status, message]) => [camelCase(message), Number(status)])
  expect([...builtinStatuses].sort()).toEqual(derived.sort())
})

it('clients know each status by the digest of its name', () => {
  expect([...builtinStatuses.keys()].map((name) => [name, findBuiltinStatus(name)])).toEqual([...builtinStatuses])
  for (const name of ['', 'soldOut', 'notfound', 'Ok', '__proto__']) expect(findBuiltinStatus(name)).toBeUndefined()
})
