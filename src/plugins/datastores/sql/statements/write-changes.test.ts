import { describe, expect, test } from 'vitest'
import { type ColumnKind, INCREMENT } from '../../../query/query.ts'
import { DIALECTS, quoteIdentifier } from '../dialect.ts'
import type {
  DialectName,
  SqlColumn,
  SqlColumnValues,
  SqlCount,
  SqlFilter,
  SqlReference,
  SqlSelect,
  SqlTable,
  Statement,
} from '../sql.ts'
import { createCursorValueCheck } from '../values/cursor-values.ts'
import { writeCount, writeSelect } from './select.ts'
import { groupInsertableRows, writeDelete, writeInsert, writeUpdate, writeUpsert } from './write-changes.ts'

const names = ['postgres', 'sqlite', 'mysql'] as const
const INT4 = [-2147483648n, 2147483647n] as const

type Part = Partial<SqlColumn> & { readonly kind: ColumnKind }

function table(dialect: DialectName, name: string, parts: Record<string, Part>): SqlTable {
  const columns = Object.entries(parts).map(([column, part]): [string, SqlColumn] => [
    column,
    {
      name: column,
      sqlName: quoteIdentifier(dialect, column),
      nullable: false,
      optional: false,
      isCursorValue: createCursorValueCheck(dialect, part.kind, part.range),
      encode: (value) => value,
      decode: (raw) => raw,
      ...part,
    },
  ])
  return { name, source: name, columns: new Map(columns), key: ['id'], sqlName: quoteIdentifier(dialect, name) }
}

function createWorld(dialect: DialectName) {
  const posts = table(dialect, 'posts', {
    id: { kind: 'integer', range: INT4 },
    title: { kind: 'text', nullable: true },
    score: { kind: 'integer', nullable: true, range: INT4 },
    price: { kind: 'decimal' },
    moment: { kind: 'dateTime', toSelectSql: (expression) => `cast(${expression} as text)` },
    author: { kind: 'integer' },
  })
  const people = table(dialect, 'people', { id: { kind: 'bigint' }, name: { kind: 'text' }, team: { kind: 'integer' } })
  const teams = table(dialect, 'teams', { id: { kind: 'integer' }, name: { kind: 'text' } })
  const of = (from: SqlTable, column: string, source = 0): SqlReference => ({
    source,
    column: from.columns.get(column)!,
  })
  const author = { table: people, on: [[of(posts, 'author'), people.columns.get('id')!]] as const }
  const team = { table: teams, on: [[of(people, 'team', 1), teams.columns.get('id')!]] as const }
  return { dialect: DIALECTS[dialect], posts, people, teams, of, joins: [author, team] }
}

type World = ReturnType<typeof createWorld>

const formatStatement = ({ strings, values }: Statement): string =>
  strings.reduce(
    (sql, part, i) =>
      `${sql}{${JSON.stringify(values[i - 1], (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}}${part}`,
  )

const select = (w: World, query: Partial<SqlSelect> & Pick<SqlSelect, 'columns'>): string =>
  formatStatement(
    writeSelect(
      w.dialect,
      { from: w.posts, joins: [], filter: undefined, order: [], limit: undefined, offset: 0, ...query },
      query.columns,
    ),
  )

const where = (w: World, filter: SqlFilter, joins: SqlCount['joins'] = []): string =>
  formatStatement(writeCount(w.dialect, { from: w.posts, joins, filter })).replace(/^.*? where /, '')

function forEachDialect(of: (w: World) => string): Record<DialectName, string> {
  return Object.fromEntries(names.map((name) => [name, of(createWorld(name))])) as Record<DialectName, string>
}

describe('a select', () => {
  test('reads columns under names of its own, in an order with nulls in their place', () => {
    const query = (w: World) =>
      select(w, {
        columns: [w.of(w.posts, 'id'), w.of(w.posts, 'moment')],
        order: [
          { reference: w.of(w.posts, 'score'), descending: false },
          { reference: w.of(w.posts, 'title'), descending: true },
          { reference: w.of(w.posts, 'id'), descending: false },
        ],
        limit: 10,
        offset: 5,
      })
    expect(forEachDialect(query)).toEqual({
      postgres:
        'select t0."id" as c0, cast(t0."moment" as text) as c1 from "posts" as t0 order by t0."score" asc, t0."title" desc, t0."id" asc limit 10 offset 5',
      sqlite:
        'select t0."id" as c0, cast(t0."moment" as text) as c1 from "posts" as t0 order by t0."score" asc nulls last, t0."title" desc nulls first, t0."id" asc limit 10 offset 5',
      mysql:
        'select t0.`id` as c0, cast(t0.`moment` as text) as c1 from `posts` as t0 order by (t0.`score` is null), t0.`score` asc, (t0.`title` is not null), t0.`title` desc, t0.`id` asc limit 10 offset 5',
    })
  })

  test('has a limit where an offset needs one', () => {
    expect(forEachDialect((w) => select(w, { columns: [], offset: 3 }))).toEqual({
      postgres: 'select 1 as c0 from "posts" as t0 limit all offset 3',
      sqlite: 'select 1 as c0 from "posts" as t0 limit -1 offset 3',
      mysql: 'select 1 as c0 from `posts` as t0 limit 18446744073709551615 offset 3',
    })
    expect(() => select(createWorld('postgres'), { columns: [], limit: 1.5 })).toThrow(RangeError)
    expect(() => select(createWorld('postgres'), { columns: [], offset: -1 })).toThrow(RangeError)
    expect(select(createWorld('postgres'), { columns: [], limit: 0 })).toMatch(/ limit 0$/)
  })

  test('joins only what it needs, also for other joins', () => {
    const w = createWorld('postgres')
    const joined = ' left join "people" as t1 on t1."id" = t0."author" left join "teams" as t2 on t2."id" = t1."team"'
    const id = w.of(w.posts, 'id')
    const inTeam: SqlFilter = { op: '=', reference: w.of(w.teams, 'name', 2), value: 'x' }
    expect(select(w, { columns: [id], joins: w.joins })).toBe('select t0."id" as c0 from "posts" as t0')
    expect(select(w, { columns: [w.of(w.people, 'name', 1)], joins: w.joins })).not.toContain('teams')
    expect(select(w, { columns: [id], joins: w.joins, filter: inTeam })).toContain(joined)
    const order = [{ reference: w.of(w.teams, 'id', 2), descending: false }]
    expect(select(w, { columns: [id], joins: w.joins, order })).toContain(joined)
    expect(formatStatement(writeCount(w.dialect, { from: w.posts, joins: w.joins, filter: undefined }))).toBe(
      'select count(*) as c0 from "posts" as t0',
    )
  })

  test('takes a column of a joined table for one that can be null', () => {
    const w = createWorld('sqlite')
    const reference = w.of(w.people, 'name', 1)
    const query = select(w, { columns: [], joins: w.joins, order: [{ reference, descending: false }] })
    expect(query).toMatch(/ order by t1."name" asc nulls last$/)
    expect(where(w, { op: '!=', reference, value: 'x' }, w.joins)).toBe('(t1."name" <> {"x"} or t1."name" is null)')
    expect(where(w, { op: 'null', reference }, w.joins)).toBe('t1."name" is null')
  })
})

describe('a filter', () => {
  const w = createWorld('postgres')
  const id = w.of(w.posts, 'id')
  const title = w.of(w.posts, 'title')
  const score = w.of(w.posts, 'score')

  test.each<[string, SqlFilter, string]>([
    [
      'and',
      {
        op: 'and',
        of: [
          { op: '=', reference: id, value: 1 },
          { op: '<', reference: id, value: 2 },
        ],
      },
      '(t0."id" = {1} and t0."id" < {2})',
    ],
    [
      'or',
      {
        op: 'or',
        of: [
          { op: '=', reference: id, value: 1 },
          { op: '>=', reference: id, value: 2 },
        ],
      },
      '(t0."id" = {1} or t0."id" >= {2})',
    ],
    ['one of one', { op: 'or', of: [{ op: '=', reference: id, value: 1 }] }, 't0."id" = {1}'],
    ['all of none', { op: 'and', of: [] }, '1=1'],
    ['one of none', { op: 'or', of: [] }, '1=0'],
    ['equal to null', { op: '=', reference: title, value: null }, '1=0'],
    ['after no place', { op: '>', reference: title, cursorValue: null }, '1=0'],
    ['not equal to null', { op: '!=', reference: title, value: null }, '1=1'],
    ['not equal', { op: '!=', reference: title, value: 'a' }, '(t0."title" <> {"a"} or t0."title" is null)'],
    ['not equal, never null', { op: '!=', reference: id, value: 1 }, 't0."id" <> {1}'],
    ['in', { op: 'in', reference: title, values: ['a', null, 'b'] }, 't0."title" in ({"a"}, {"b"})'],
    ['in nothing', { op: 'in', reference: title, values: [] }, '1=0'],
    ['not in', { op: 'not in', reference: title, values: ['a'] }, '(t0."title" not in ({"a"}) or t0."title" is null)'],
    ['not in nothing', { op: 'not in', reference: title, values: [null] }, '1=1'],
    ['null', { op: 'null', reference: title }, 't0."title" is null'],
    ['not null', { op: 'not null', reference: title }, 't0."title" is not null'],
    ['null, never so', { op: 'null', reference: id }, '1=0'],
    ['not null, always so', { op: 'not null', reference: id }, '1=1'],
  ])('%s', (_, filter, expected) => {
    expect(where(w, filter)).toBe(expected)
  })

  const BIG = 99_999_999_999
  test.each<[SqlFilter, string]>([
    [{ op: '=', reference: score, value: BIG }, '1=0'],
    [{ op: '!=', reference: score, value: BIG }, '1=1'],
    [{ op: '<', reference: score, value: BIG }, 't0."score" is not null'],
    [{ op: '<=', reference: id, value: BigInt(BIG) }, '1=1'],
    [{ op: '>', reference: score, value: BIG }, '1=0'],
    [{ op: '>=', reference: score, value: -BIG }, 't0."score" is not null'],
    [{ op: '<', reference: score, value: -BIG }, '1=0'],
    [{ op: '<', reference: score, value: Infinity }, 't0."score" is not null'],
    [{ op: '<', reference: score, value: -Infinity }, '1=0'],
    [{ op: '=', reference: score, value: 1.5 }, '1=0'],
    [{ op: '!=', reference: score, value: 1.5 }, '1=1'],
    [{ op: '<', reference: score, value: 1.5 }, 't0."score" <= {1}'],
    [{ op: '>=', reference: score, value: -1.5 }, 't0."score" > {-2}'],
    [{ op: '>', reference: score, value: BIG + 0.5 }, '1=0'],
    [{ op: '=', reference: score, value: 2147483647 }, 't0."score" = {2147483647}'],
    [{ op: 'in', reference: score, values: [BIG, 1, 1.5, -BIG] }, 't0."score" in ({1})'],
    [{ op: 'in', reference: score, values: [BIG] }, '1=0'],
    [{ op: 'not in', reference: score, values: [BIG] }, '1=1'],
  ])('never compares with a number that does not fit: %o', (filter, expected) => {
    expect(where(w, filter)).toBe(expected)
  })

  test('refuses what is no number at all', () => {
    expect(() => where(w, { op: '=', reference: score, value: NaN })).toThrow(
      "on the column 'score' has a value that no",
    )
  })

  test('matches texts by their letters', () => {
    const like = (op: 'like' | 'not like', text: string, before: boolean, after: boolean) =>
      forEachDialect((one) =>
        where(one, { op, reference: one.of(one.posts, 'title'), pattern: { text, before, after } }),
      )
    expect(like('like', '5%_!*?[x', true, true)).toEqual({
      postgres: `cast(t0."title" as text) like {"%5!%!_!!*?[x%"} escape '!'`,
      sqlite: 't0."title" glob {"*5%_![*][?][[]x*"}',
      mysql: 't0.`title` like {"%5!%!_!!*?[x%"} escape \'!\'',
    })
    expect(like('not like', 'a', false, true)).toEqual({
      postgres: `(cast(t0."title" as text) not like {"a%"} escape '!' or t0."title" is null)`,
      sqlite: '(t0."title" not glob {"a*"} or t0."title" is null)',
      mysql: '(t0.`title` not like {"a%"} escape \'!\' or t0.`title` is null)',
    })
  })

  test('compares with every digit of a cursor', () => {
    const price = (cursorValue: string) =>
      forEachDialect((one) => where(one, { op: '>', reference: one.of(one.posts, 'price'), cursorValue }))
    expect(price('12345678901234567890.123')).toEqual({
      postgres: 't0."price" > {"12345678901234567890.123"}',
      sqlite: 't0."price" > {"12345678901234567890.123"}',
      mysql: 't0.`price` > cast({"12345678901234567890.123"} as decimal(65, 3))',
    })
    // A cursor value was read from the column: unlike a value outside of the range, its comparison is not folded.
    const compareScore = (operand: object) =>
      where(createWorld('postgres'), {
        op: '>',
        reference: createWorld('postgres').of(createWorld('postgres').posts, 'score'),
        ...operand,
      } as SqlFilter)
    expect(compareScore({ value: 2n ** 40n })).toBe('1=0')
    expect(compareScore({ cursorValue: String(2n ** 40n) })).toBe('t0."score" > {"1099511627776"}')
    const score = forEachDialect((one) =>
      where(one, { op: '>', reference: one.of(one.posts, 'score'), cursorValue: '12' }),
    )
    expect(score).toEqual({
      postgres: 't0."score" > {"12"}',
      sqlite: 't0."score" > {"12n"}',
      mysql: 't0.`score` > cast({"12"} as signed)',
    })
  })

  test('requests rows of other tables in scopes of their own', () => {
    const { posts, people, teams, of } = w
    const inner: SqlFilter = {
      op: 'exists',
      from: people,
      on: [[of(posts, 'author'), people.columns.get('id')!]],
      joins: [{ table: teams, on: [[of(people, 'team'), teams.columns.get('id')!]] }],
      filter: { op: '=', reference: of(teams, 'name', 1), value: 'x' },
    }
    const again: SqlFilter = { ...inner, filter: { op: 'and', of: [] } }
    expect(where(w, { op: 'and', of: [inner, again] }, w.joins)).toBe(
      '(exists (select 1 from "people" as t3 left join "teams" as t4 on t4."id" = t3."team" where t3."id" = t0."author" and t4."name" = {"x"})' +
        ' and exists (select 1 from "people" as t5 where t5."id" = t0."author"))',
    )
  })
})

describe('changes', () => {
  const toColumnValues = (w: World, values: Record<string, unknown>): SqlColumnValues =>
    new Map(Object.entries(values).map(([name, value]) => [w.posts.columns.get(name) as SqlColumn, value]))

  test('insert', () => {
    const insert = (w: World, ...rows: readonly SqlColumnValues[]) =>
      formatStatement(
        writeInsert(w.dialect, w.posts, rows, w.dialect.supportsReturning ? [w.of(w.posts, 'id')] : undefined),
      )
    expect(forEachDialect((w) => insert(w, toColumnValues(w, { title: 'a', score: null })))).toEqual({
      postgres: 'insert into "posts" ("title", "score") values ({"a"}, {null}) returning "id" as c0',
      sqlite: 'insert into "posts" ("title", "score") values ({"a"}, {null}) returning "id" as c0',
      mysql: 'insert into `posts` (`title`, `score`) values ({"a"}, {null})',
    })
    expect(forEachDialect((w) => insert(w, new Map()))).toEqual({
      postgres: 'insert into "posts" default values returning "id" as c0',
      sqlite: 'insert into "posts" default values returning "id" as c0',
      mysql: 'insert into `posts` () values ()',
    })
  })

  test('[LST-08] several rows are one insertion, of which some take defaults', () => {
    const rows = (w: World) => [
      toColumnValues(w, { title: 'a' }),
      toColumnValues(w, { title: 'b', score: 2 }),
      toColumnValues(w, { title: 'c' }),
    ]
    const parts = (w: World) =>
      groupInsertableRows(w.dialect, rows(w))
        .map((part) => formatStatement(writeInsert(w.dialect, w.posts, part)))
        .join('\n')
    const oneStatement =
      'insert into "posts" ("title", "score") values ({"a"}, default), ({"b"}, {2}), ({"c"}, default)'
    expect(forEachDialect(parts)).toEqual({
      postgres: oneStatement,
      sqlite: [
        'insert into "posts" ("title") values ({"a"})',
        'insert into "posts" ("title", "score") values ({"b"}, {2})',
        'insert into "posts" ("title") values ({"c"})',
      ].join('\n'),
      mysql: oneStatement
        .replaceAll('"posts"', '`posts`')
        .replaceAll('"title"', '`title`')
        .replaceAll('"score"', '`score`'),
    })
    const w = createWorld('sqlite')
    const many = Array.from({ length: 40_000 }, () => toColumnValues(w, { title: 'a', score: 1 }))
    expect(groupInsertableRows(w.dialect, many).map(({ length }) => length)).toEqual([16_000, 16_000, 8_000])
    const none = Array.from({ length: 3 }, () => new Map())
    expect(groupInsertableRows(w.dialect, none)).toHaveLength(3)
  })

  test('[LST-08] an upsert changes the row that is there if it meets a condition, and gives it', () => {
    const upsert = (w: World, changes: SqlColumnValues, filter?: SqlFilter) =>
      formatStatement(
        writeUpsert(
          w.dialect,
          {
            table: w.posts,
            values: toColumnValues(w, { id: 1, title: 'a' }),
            by: [w.of(w.posts, 'id').column],
            changes,
            filter,
          },
          [w.of(w.posts, 'id'), w.of(w.posts, 'title')],
        ),
      )
    const w = createWorld('postgres')
    const filter: SqlFilter = { op: '=', reference: w.of(w.posts, 'score'), value: 7 }
    expect(upsert(w, toColumnValues(w, { title: 'a', score: INCREMENT }), filter)).toBe(
      'insert into "posts" as t0 ("id", "title") values ({1}, {"a"}) on conflict ("id") do update set "title" = {"a"}, ' +
        '"score" = t0."score" + 1 where t0."score" = {7} returning "id" as c0, "title" as c1',
    )
    expect(upsert(w, new Map())).toBe(
      'insert into "posts" as t0 ("id", "title") values ({1}, {"a"}) on conflict ("id") do update set "id" = t0."id" ' +
        'returning "id" as c0, "title" as c1',
    )
  })

  test('update and delete', () => {
    const one = (w: World): SqlFilter => ({ op: '=', reference: w.of(w.posts, 'id'), value: 1 })
    const update = (w: World) =>
      formatStatement(
        writeUpdate(w.dialect, { table: w.posts, values: toColumnValues(w, { title: 'a', score: 2 }), filter: one(w) }),
      )
    expect(forEachDialect(update)).toEqual({
      postgres: 'update "posts" as t0 set "title" = {"a"}, "score" = {2} where t0."id" = {1}',
      sqlite: 'update "posts" as t0 set "title" = {"a"}, "score" = {2} where t0."id" = {1}',
      mysql: 'update `posts` as t0 set `title` = {"a"}, `score` = {2} where t0.`id` = {1}',
    })
    expect(forEachDialect((w) => formatStatement(writeDelete(w.dialect, w.posts, one(w))))).toEqual({
      postgres: 'delete from "posts" as t0 where t0."id" = {1}',
      sqlite: 'delete from "posts" as t0 where t0."id" = {1}',
      mysql: 'delete t0 from `posts` as t0 where t0.`id` = {1}',
    })
  })

  test('names are quoted, and can contain quotes; values can be anything and are never written', () => {
    expect(quoteIdentifier('postgres', 'a"b', 'c')).toBe('"a""b"."c"')
    expect(quoteIdentifier('mysql', 'a`b"')).toBe('`a``b"`')
    const w = createWorld('sqlite')
    const hostile = `'; drop table posts; --`
    const filter: SqlFilter = { op: '=', reference: w.of(w.posts, 'title'), value: hostile }
    const { strings, values } = writeCount(w.dialect, { from: w.posts, joins: [], filter })
    expect(strings.join('')).not.toContain('drop')
    expect(values).toEqual([hostile])
  })

  test('a column can have SQL around what is bound for it', () => {
    const w = createWorld('mysql')
    const parameterWrapper = ['binary ', ''] as const
    const from = table('mysql', 'odd', { id: { kind: 'integer', parameterWrapper } })
    const reference = { source: 0, column: from.columns.get('id')! }
    const filter: SqlFilter = { op: '=', reference, value: '1' }
    expect(
      formatStatement(writeUpdate(w.dialect, { table: from, values: new Map([[reference.column, 2]]), filter })),
    ).toBe('update `odd` as t0 set `id` = binary {2} where t0.`id` = binary {"1"}')
  })
})
