// The cost of lists: the statements that they take on every database, and the columns that those read.
import { expect, test } from 'vitest'
import { everywhere, isDatabase, query } from '../../support/library/reader.ts'

const COLUMNS = [
  'id',
  'title',
  'subtitle',
  'kind',
  'pages',
  'price',
  'copies',
  'lent',
  'published_on',
  'added_at',
  'opens_at',
  'notes',
].map((name) => `books.${name}`)
const AUTHOR = ['id', 'name', 'born_on', 'home_city', 'home_country'].map((name) => `authors.${name}`)
const TAGS = ['book_tags.book_id', 'tags.name']

await everywhere((reader) => {
  const statements = async (path: string): Promise<readonly string[]> =>
    reader.statementsOf(async () => expect((await reader.ask(`GET ${path}`)).status, path).toBe(200))
  const reads = async (path: string): Promise<readonly Read[]> => (await statements(path)).flatMap(readsOf)
  const columns = async (path: string) => (await reads(path)).map((one) => one.columns)
  const list = (params: Readonly<Record<string, string>>): string => `/books?${query(params)}`

  test('[PGN-10] a count is one more statement with the same conditions, and only who asks pays for it', async () => {
    for (const filters of ['', 'title=Win*&pages>0', 'author.name=Ada|tags=sql', 'reviews.by.name=Ada&lent=true']) {
      for (const paged of ['items=3', 'page=4,items=3', 'by=author.name,items=3', 'by=author.name,from=B,items=3']) {
        const params = { fields: 'id,author{name}', ...(filters !== '' && { filters }) }
        const [without, ...behind] = await statements(list({ ...params, pagination: paged }))
        // Of a value that was typed by hand, one more row tells whether anything comes before it.
        expect(behind.map((one) => readOf(one).limit)).toEqual(paged.includes('from=') && behind.length > 0 ? [1] : [])
        const counted = await statements(list({ ...params, pagination: `${paged},total_count=true` }))
        expect(counted).toHaveLength(2 + behind.length)
        expect(counted).toContain(without)
        const [count] = counted.filter((one) => one.startsWith('select count(*)'))
        const { where, joins, ordered, limit } = readOf(count as string)
        expect([ordered, limit]).toEqual([false, undefined])
        // The author is joined only when a condition names it; a place to begin at is no condition of the list.
        expect(joins).toEqual(filters.startsWith('author.name') ? ['authors'] : [])
        const whole = readOf((await statements(list(params)))[0] as string).where
        expect(where).toBe(whole)
      }
    }
  })

  test('[PGN-10] nothing is counted for lists that are refused, nor for total_count=false', async () => {
    expect(await statements(list({ fields: 'id', pagination: 'items=3,total_count=false' }))).toHaveLength(1)
    const refused = await reader.statementsOf(() => reader.ask('GET /books?pagination=items=0,total_count=true'))
    expect(refused).toEqual([])
  })

  test('[MAP-01] pages and orders are carried out by the statement', async () => {
    const [page] = await reads(list({ fields: 'id', pagination: 'page=3,items=5', order: '-title,pages' }))
    expect(page).toMatchObject({ ordered: true, limit: 6, offset: 10, joins: [] })
    const [cursor] = await reads(list({ fields: 'id', pagination: 'by=author.name,from=B,items=5' }))
    expect(cursor).toMatchObject({ ordered: true, limit: 6, offset: undefined, joins: ['authors'] })
    expect(cursor?.where).toMatch(/^\(?t1\."name" > /)
    const [whole] = await reads(list({ fields: 'id' }))
    expect(whole).toMatchObject({ where: '', limit: 101 })
  })

  test('[MAP-04] selected attributes read their own columns', async () => {
    expect(await columns(list({ fields: 'title' }))).toEqual([['books.title']])
    expect(await columns(list({ fields: 'title,lent', pagination: 'page=2,items=3' }))).toEqual([
      ['books.title', 'books.lent'],
    ])
    // A numbered page needs no place to go on from; a cursor does.
    expect(await columns(list({ fields: 'id', order: '-title,-id' }))).toEqual([['books.id']])
    expect(await columns(list({ fields: 'lent', order: '-title,-id', pagination: 'by=title' }))).toEqual([
      ['books.lent', 'books.title', 'books.id'],
    ])
    expect(await columns('/books/3?fields=title')).toEqual([['books.title']])
  })

  test('[MAP-01] values and nulls of an order field are stretches of their own where the index has nulls first', async () => {
    const paged = (pagination: string, order: string) => reads(list({ fields: 'id', pagination, order }))
    const [values, nulls] = ['t0."pages" is not null', expect.stringMatching(/^\(?t0\."pages" is null/)]
    const whole = reader.dialect === 'postgres' ? [''] : undefined
    const wheres = async (pagination: string, order: string) =>
      (await paged(pagination, order)).map(({ where }) => where)
    // MySQL would read all stretches of one statement, and takes one for each that it needs.
    const both = reader.dialect === 'sqlite'
    expect(await wheres('by=pages,items=5', 'pages')).toEqual(whole ?? (both ? [values, nulls] : [values]))
    expect(await wheres('by=pages,items=5', '-pages')).toEqual(whole ?? (both ? [nulls, values] : [nulls]))
    expect(await wheres('items=40', 'pages')).toEqual(whole ?? [values, nulls])
    expect(await statements(list({ fields: 'id', pagination: 'items=40', order: 'pages' }))).toHaveLength(
      reader.dialect === 'mysql' ? 2 : 1,
    )
    expect(await paged('page=2,items=10', 'pages')).toMatchObject([{ where: '', limit: 11, offset: 10 }])
  })

  test('[MAP-04] another resource is joined, and takes no statement of its own', async () => {
    const [only, ...more] = await reads(list({ fields: 'title,author{name,home{city}}' }))
    expect(more).toEqual([])
    expect(only).toMatchObject({ joins: ['authors'] })
    expect(only?.columns).toEqual(['books.title', 'authors.id', 'authors.name', 'authors.home_city'])
    // No table is joined twice, however many parts of the query need it.
    const params = { fields: 'author{name}', filters: 'author.home.city=Oslo', order: 'author.born_on' }
    expect(await reads(list({ ...params, pagination: 'page=2,items=2' }))).toMatchObject([{ joins: ['authors'] }])
    // The key of another resource that is kept here needs no join.
    const kept = list({ fields: 'id', filters: 'author.id=2', order: 'author.id', pagination: 'items=2' })
    expect((await reads(kept)).flatMap(({ joins }) => joins)).toEqual([])
  })

  test('[MAP-04] a related list takes one statement for all rows, also inside of another', async () => {
    for (const items of [1, 5, 47]) {
      const paged = (fields: string) => reads(list({ fields, pagination: `items=${items}`, order: 'id' }))
      expect((await paged('id,tags')).map((one) => one.columns.toSorted())).toEqual([['books.id'], TAGS])
      const both = await paged('id,tags,reviews{stars}')
      expect(both.map(({ table }) => table).toSorted()).toEqual(['book_tags', 'books', 'reviews'])
      const nested = await paged('title,reviews{text,by{name}}')
      expect(nested).toHaveLength(2)
      expect(nested[1]).toMatchObject({ table: 'reviews', joins: ['authors'] })
      expect(nested[1]?.columns.toSorted()).toEqual(['authors.id', 'authors.name', 'reviews.book_id', 'reviews.text'])
    }
  })

  test('[MAP-04] a related list of no rows takes no statement', async () => {
    expect(await reads(list({ fields: 'id,tags,reviews', filters: 'id=1000' }))).toHaveLength(1)
  })

  test('[MAP-04] only the rows of the page take part in related lists', async () => {
    const [, tags] = await statements(list({ fields: 'id,tags', pagination: 'items=3' }))
    expect(tags?.match(/\?|\$\d/g)).toHaveLength(3)
  })

  test('[MAP-04] computed attributes read what they are computed from', async () => {
    expect(await columns(list({ fields: 'label' }))).toEqual([['books.id', 'books.title']])
    expect((await columns(list({ fields: 'shelf_mates' })))[0]?.toSorted()).toEqual(AUTHOR.toSorted())
    const shown = await reader.list(list({ fields: 'label', pagination: 'items=2' }))
    expect(shown).toEqual([{ label: '1: Winter' }, { label: '2: A%_*[x]!' }])
  })

  test('[MAP-04] what an action shows decides when nothing is selected', async () => {
    expect(await columns('/books/cards?pagination=items=2')).toEqual([['books.id', 'books.title', ...AUTHOR]])
    const [book, tags, ...more] = await columns('/books')
    expect(more).toEqual([])
    expect(book?.toSorted()).toEqual([...COLUMNS, ...AUTHOR].toSorted())
    expect(tags?.toSorted()).toEqual(TAGS)
    expect(await columns('/reviews?pagination=items=2')).toEqual([
      ['reviews.book_id', 'reviews.number', 'reviews.stars', 'reviews.text'],
    ])
  })

  test('writes take one statement each', async () => {
    const { books } = reader.library
    const made = await reader.statementsOf(() => books.create({ id: 900, title: 'Made' }))
    expect(made).toEqual([expect.stringMatching(/^insert /)])
    expect(await reader.statementsOf(() => books.update(900, { title: 'Changed' }))).toEqual([
      expect.stringMatching(/^update /),
    ])
    expect(await reader.statementsOf(() => books.delete(900))).toEqual([expect.stringMatching(/^delete /)])
  })
}, isDatabase)

/** The table and the columns that a statement reads. */
interface Read {
  readonly table: string
  readonly columns: readonly string[]
  readonly joins: readonly string[]
  /** The condition, the marks of its values included. */
  readonly where: string
  readonly ordered: boolean
  readonly limit: number | undefined
  readonly offset: number | undefined
}

const STATEMENT =
  /^select (?<columns>.*?) from (?<source>.*?)(?: where (?<where>.*?))?(?<order> order by .*?)?(?: limit (?<limit>\d+))?(?: offset (?<offset>\d+))?$/

/** The reads of each stretch of a statement. */
function readsOf(statement: string): readonly Read[] {
  const stretches = Array.from(statement.matchAll(/select \* from \((.*?)\) as s\d+/g), ([, inner]) =>
    readOf(inner as string),
  )
  return stretches.length === 0 ? [readOf(statement)] : stretches
}

function readOf(statement: string): Read {
  const parts = STATEMENT.exec(statement.replaceAll(/\/\*.*?\*\/ /g, '').replaceAll('`', '"'))?.groups
  if (parts === undefined) throw new Error(`This does not read: ${statement}`)
  const { columns = '', source = '', where = '', order, limit, offset } = parts
  const tables = [...source.matchAll(/"(\w+)" as (t\d+)/g)].map(([, name, alias]) => [alias, name] as const)
  const names = new Map(tables)
  return {
    table: tables[0]?.[1] ?? '',
    // A column may be named more than once where it is read.
    columns: columns
      .split(/ as c\d+(?:, )?/)
      .flatMap(
        (one) =>
          one
            .match(/(t\d+)\."(\w+)"/)
            ?.slice(1, 3)
            .join('.') ?? [],
      )
      .map((one) => one.replace(/^t\d+/, (alias) => String(names.get(alias)))),
    joins: tables.slice(1).map(([, name]) => name as string),
    where,
    ordered: order !== undefined,
    limit: limit === undefined ? undefined : Number(limit),
    offset: offset === undefined ? undefined : Number(offset),
  }
}
