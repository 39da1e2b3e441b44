// Aggregates over relations in requests: selected, ordered, filtered and walked by as columns are; never written. What
// does not fit is refused at boot. Computed attributes may ask who calls.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import {
  type Aggregated,
  computed,
  computedBatch,
  count,
  type Datastore,
  exists,
  FieldSelector,
  FilteringParams,
  many,
  mapper,
  max,
  memoryDatastore,
  min,
  resource,
  sum,
} from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, test } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'

const id = t.integer({ required: true })
const Vote = mediaType('Vote', {
  attributes: {
    id,
    song_id: t.integer(),
    voter: t.integer(),
    points: t.number(),
    given: t.dateTime(),
    note: t.json(t.object({ text: t.string() })),
  },
})
const Song = mediaType('Song', {
  attributes: {
    id,
    title: t.string(),
    votes: t.integer({ required: true }),
    loved: t.boolean({ required: true }),
    last: t.dateTime({ nullable: true }),
    points: t.number({ required: true }),
    mine: t.boolean(),
    rank: t.integer(),
  },
  views: { plain: { except: ['mine', 'rank', 'last'] } },
})

const whole = { kind: 'integer', nullable: true } as const
const openTables = () =>
  memoryDatastore({
    songs: {
      columns: { id: { kind: 'integer' }, title: { kind: 'text' }, owner: whole },
      key: ['id'],
      rows: [1, 2, 3, 4].map((one) => ({ id: one, title: `song ${one}`, owner: one % 2 })),
    },
    votes: {
      columns: {
        id: { kind: 'integer' },
        song_id: whole,
        voter: whole,
        points: { kind: 'number', nullable: true },
        given: { kind: 'dateTime', nullable: true },
        note: { kind: 'json', nullable: true },
      },
      key: ['id'],
      rows: [
        { id: 1, song_id: 1, voter: 7, points: 1.5, given: new Date('2024-01-02') },
        { id: 2, song_id: 1, voter: 8, points: 2, given: new Date('2024-01-01') },
        { id: 3, song_id: 3, voter: 8, points: null, given: null },
        { id: 4, song_id: 4, voter: 7, points: 1, given: new Date('2023-01-01') },
      ],
    },
  })

interface Caller {
  readonly voter?: number
}

const votesIn = (datastore: Datastore<string>) => resource(datastore, Vote, { table: 'votes' })

function songsIn(datastore: Datastore<string>, more: Readonly<Record<string, Aggregated>> = {}) {
  const all = many(votesIn(datastore), { id: 'song_id' })
  return resource(datastore, Song, {
    table: 'songs',
    attributes: {
      votes: count(all),
      loved: exists(
        many(votesIn(datastore), { id: 'song_id' }, { where: ({ voter }: Caller) => voter !== undefined && { voter } }),
      ),
      last: max(all, 'given'),
      points: sum(all, 'points'),
      mine: computed(['id', 'votes'], ({ id, votes }, { voter = 0 }: Caller) => votes > 0 && voter > id),
      rank: computedBatch(['votes'], (songs, { voter = 0 }: Caller) => songs.map(({ votes }) => votes * voter)),
      ...more,
    },
  })
}

const Songs = endpoint('Songs', {
  mediaType: Song,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Song),
        filters: FilteringParams.for(Song, { votes: {}, loved: {}, last: {} }),
        pagination: PaginationParams.for(Song, { byFields: ['votes', 'last'] }),
        order: OrderingParams.for(Song, { byFields: ['votes', 'last', 'loved'], enforceFor: 'all' }),
      },
      responses: { ok: collectionOf(Song) },
    },
  },
})

const boot = (songs: ReturnType<typeof songsIn>, caller: Caller = {}) =>
  application({
    plugins: [mapper({ resources: { songs } }), pagination()],
    controllers: [
      Songs.implement({
        index: async (_, { request, reply }) => reply.ok(await songs.within(caller).list(request)),
      }),
    ],
  })

describe('requests for what an element knows of others', () => {
  test('[FOR-04] select, order, filter and walk by it', async () => {
    const app = boot(songsIn(openTables()), { voter: 8 })
    const first = await ask(app, 'GET /songs?fields=id,votes,last&pagination=by=last,items=2')
    expect(first.json).toEqual([
      { id: 4, votes: 1, last: '2023-01-01T00:00:00.000Z' },
      { id: 1, votes: 2, last: '2024-01-02T00:00:00.000Z' },
    ])
    const next = /<([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1]
    expect((await ask(app, `GET ${next}`)).json).toEqual([
      { id: 2, votes: 0, last: null },
      { id: 3, votes: 1, last: null },
    ])
    expect((await ask(app, 'GET /songs?fields=id,loved&filters=votes>0%26loved=true&order=-votes')).json).toEqual([
      { id: 1, loved: true },
      { id: 3, loved: true },
    ])
    expect((await ask(app, 'GET /songs?fields=id,points&filters=votes!=1')).json).toEqual([
      { id: 1, points: 3.5 },
      { id: 2, points: 0 },
    ])
    // Text of a client stays a value, and a value that the attribute cannot have is refused.
    expect((await ask(app, 'GET /songs?filters=votes=x')).status).toBe(400)
  })

  test('[FOR-04] computed attributes and conditions ask who calls', async () => {
    const songs = songsIn(openTables())
    const show = async (caller: Caller) => (await songs.within(caller).list({ fields: ['loved', 'mine', 'rank'] }))[0]
    expect(await show({ voter: 7 })).toEqual({ loved: true, mine: true, rank: 14 })
    expect(await show({ voter: 1 })).toEqual({ loved: false, mine: false, rank: 2 })
    expect(await show({})).toEqual({ loved: false, mine: false, rank: 0 })
    const unscoped = songs as unknown as { list(query: object): Promise<unknown> }
    await expect(unscoped.list({})).rejects.toThrow(
      /Song has attributes that depend on the caller, and the call has no context\. Remedy: .*within\(context\)/,
    )
    const open = resource(openTables(), Song, {
      table: 'songs',
      attributes: {
        votes: count(
          many(votesIn(openTables()), { id: 'song_id' }, { where: ({ voter }: Caller) => ({ voter }) as never }),
        ),
        ...{ loved: false, last: false, points: false, mine: false, rank: false },
      },
    })
    await expect(open.within({}).list({ fields: ['votes'] })).rejects.toThrow(/'voter' is undefined/)
  })

  test('writes refuse it, and return it', async () => {
    const songs = songsIn(openTables()).within({ voter: 7 })
    await expect(songs.update(1, { votes: 3 })).rejects.toMatchObject({ problem: { errors: [{ code: 'unwritable' }] } })
    const changed = await songs.update(1, { title: 'new' }, { shown: Song.view('plain') })
    expect(changed).toEqual({ id: 1, title: 'new', votes: 2, loved: true, points: 3.5 })
    expect(await songs.create({ id: 9, title: 'x' }, { shown: Song.view('plain') })).toMatchObject({ votes: 0 })
  })

  test('what does not fit is refused at boot, with place and remedy', () => {
    const datastore = openTables()
    const all = many(votesIn(datastore), { id: 'song_id' })
    const problemsOf = (attributes: Readonly<Record<string, Aggregated>>) =>
      mistakesOf(() => boot(songsIn(datastore, attributes))).map(
        ({ setting, problem, remedy }) => `${setting}: ${problem}. ${remedy}`,
      )
    expect(problemsOf({ last: max(all, 'nothing') }).join()).toMatch(/Song\.last: .*'nothing', which has no column/)
    expect(problemsOf({ last: max(all, 'note') }).join()).toMatch(/Song\.last: .*'note'/)
    expect(problemsOf({ title: count(all) }).join()).toMatch(/Song\.title: count\(…\) gives whole numbers, .*declare/)
    expect(problemsOf({ title: min(all, 'given') }).join()).toMatch(/Song\.title: min\(…\) gives values of the kind/)
    expect(problemsOf({ points: sum(all, 'given') }).join()).toMatch(/Song\.points: sum\(…\) gives numbers/)
    expect(problemsOf({ votes: max(all, 'voter') }).join()).toMatch(/Song\.votes: .*it is required.*nullable/)
    const wrong = many(votesIn(datastore), { id: 'ghost' })
    expect(problemsOf({ votes: count(wrong) }).join()).toMatch(/votes: .*has no column 'ghost'/)
    expect(problemsOf({ votes: count('votes' as never) }).join()).toMatch(/votes.*many\(…\)/)
    const { aggregate: _, ...without } = datastore
    const told = mistakesOf(() => songsIn(without)).map(({ setting, problem, remedy }) => [setting, problem, remedy])
    expect(told[0]).toEqual([
      'votes',
      "its datastore has no method 'aggregate', which count(…) needs",
      'implement it, with the joins that have an aggregate, or use computed(…) over the related list',
    ])
  })
})

describe('views of all attributes but some', () => {
  test('[FOR-04] show the others, in their order', () => {
    expect(Object.keys(Song.view('plain').attributes)).toEqual(['id', 'title', 'votes', 'loved', 'points'])
    expect(Song.views).toEqual({ plain: ['id', 'title', 'votes', 'loved', 'points'] })
  })

  test('refuse names of no attribute', () => {
    const Wrong = mediaType('Wrong', { attributes: { id }, views: { short: { except: ['ghost' as never] } } })
    const wrong = endpoint('Wrongs', {
      mediaType: Wrong,
      actions: { show: { routing: route.get('/'), responses: { ok: Wrong.view('short') } } },
    })
    const told = mistakesOf(() =>
      application({ controllers: [wrong.implement({ show: (_, { reply }) => reply.ok({ id: 1 }) })] }),
    )
    expect(told.map(({ problem, remedy }) => `${problem}. ${remedy}`).join()).toMatch(
      /it leaves out 'ghost', which is not an attribute.*leave out some of: id/,
    )
    const odd = mediaType('Odd', { attributes: { id }, views: { short: { without: ['id'] } as never } })
    expect(Object.keys(odd.views)).toEqual([])
  })
})
