import { describe, expect, test } from 'vitest'
import { classifySqlError } from './classify-error.ts'

const wrapped = (cause: unknown): Error => new Error('Failed query: …', { cause })

describe('an error of a database', () => {
  test.each<[object, string | undefined]>([
    [{ code: '23505' }, 'conflict'],
    [{ code: '23503' }, 'conflict'],
    [{ code: '23502' }, 'value'],
    [{ code: '23514' }, 'value'],
    [{ code: '22P02' }, 'value'],
    [{ code: '22021' }, 'value'],
    [{ code: '40P01' }, 'unavailable'],
    [{ code: '40001' }, 'unavailable'],
    [{ code: '53300' }, 'unavailable'],
    [{ code: '57P01' }, 'unavailable'],
    [{ code: '08006' }, 'unavailable'],
    [{ code: '42P01' }, undefined],
    [{ code: '42601', routine: 'prssyntaxerror' }, 'value'],
    [{ code: '42601', routine: 'scanner_yyerror' }, undefined],
    [{ code: '42601' }, undefined],
    [{ code: 'EPIPE' }, 'unavailable'],
    [{ code: 'ECONNREFUSED', errno: -111 }, 'unavailable'],
    [{ code: 'ER_DUP_ENTRY', errno: 1062, sqlState: '23000' }, 'conflict'],
    [{ code: 'ER_BAD_NULL_ERROR', errno: 1048, sqlState: '23000' }, 'value'],
    [{ code: 'ER_LOCK_DEADLOCK', errno: 1213, sqlState: '40001' }, 'unavailable'],
    [{ code: 'ER_NO_SUCH_TABLE', errno: 1146, sqlState: '42S02' }, undefined],
    [{ code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_UNIQUE' }, 'conflict'],
    [{ code: 'SQLITE_CONSTRAINT_NOTNULL' }, 'value'],
    [{ code: 'SQLITE_BUSY' }, 'unavailable'],
    [{ code: 'SQLITE_ERROR' }, undefined],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 2067 }, 'conflict'],
    [{ message: 'UNIQUE constraint failed: t.a' }, 'conflict'],
    [{ message: 'timeout exceeded when trying to connect' }, 'unavailable'],
    [{ message: 'The database connection is not open' }, 'unavailable'],
    [{ message: 'database is not open' }, 'unavailable'],
    [{ code: 'P2024' }, 'unavailable'],
    [{ code: 'P2002' }, undefined],
    [{ code: 'constructor' }, undefined],
  ])('%o means %s', (error, fault) => {
    expect(classifySqlError(error)).toBe(fault)
    expect(classifySqlError(wrapped(wrapped(error)))).toBe(fault)
  })

  test('can be anything', () => {
    const circle: { cause?: unknown } = {}
    circle.cause = { cause: circle }
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    for (const error of [circle, trap, wrapped(trap), null, undefined, 'text', 5, Object.create(null)]) {
      expect(classifySqlError(error)).toBeUndefined()
    }
  })
})
