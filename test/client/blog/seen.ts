// The account that the tour gives of a new example, wherever it runs.

/** The account of the actions that documents show. */
export const shown: readonly unknown[] = [
  [
    'Blogs.index',
    [
      { title: 'All about Bridges', owner: { name: 'Grace Hopper' } },
      { title: 'Letters to Charles', owner: { name: 'Ada Lovelace' } },
    ],
  ],
  ['Blogs.index.all', 12, 'All about Clocks'],
  ['Blogs.index', 400, '/order'],
  ['Blogs.show', 1_704_186_000_000, '9007199254740993', '#7c3aed', 'Ada Lovelace'],
  ['Blogs.find', 3, 'notFound', 404],
  ['Blogs.create', 'created', 13],
  ['Blogs.update', 'noContent', 'preconditionFailed', 'Grand Tour'],
  ['Blogs.export', 2],
  ['Blogs.transfer', 'noContent'],
  ['Blogs.remove', 'noContent', 'notFound'],
  ['Posts.index', 22, 'letter-24 2024-05-08', 'end'],
  ['Posts.index', ['on-punched-cards']],
  ['Posts.archive', ['note-g']],
  ['Posts.create', 'created', '/api/v1.0/blogs/1/posts/by-a-client'],
  [
    'Posts.rewrite',
    [
      { type: 'text', text: 'Two.' },
      { type: 'text', text: 'Three: ünï.' },
    ],
  ],
  ['Posts.show', 'By a client', 'notFound'],
  ['Posts.illustrate', 'noContent', ['Posts.cover', 4096, 255]],
  ['Posts.move', true],
  ['Comments.index', 'Charles', '2024-01-15T11:30:00.000Z'],
  ['Comments.show', 'The drawings of the mill are attached.'],
  ['Comments.create', 'created', 2],
  ['Comments.import', 'noContent', 1],
  ['People.profile', 'Ada Lovelace', '2023-12-10'],
  ['People.updateMe', null, ['People.me', null]],
  ['Avatars.replace', 'noContent', ['Avatars.show', 60_000, true]],
  ['Avatars.show', 'notFound'],
  ['Assets.show', 'body { font: 18px/1.6 serif }'],
  ['Feeds.show', 3],
  ['StatsV1.show', 'blogs,posts,page_views'],
  ['StatsV2.show', 12, 'bigint', 4],
  ['Subscriptions.subscribe', 'accepted', 'conflict'],
  ['Subscriptions.cancel', 'noContent', 'notFound'],
]

/** The account of a client of the whole example. */
export const whole: readonly unknown[] = [...shown, ['Legacy.gone', 'gone']]
