// Two versions of one endpoint: the same path, told apart by the version that a request carries.
import { endpoint, mediaType, route, t } from 'edict'

const Stats = mediaType('Stats', {
  attributes: {
    blogs: t.integer({ required: true }),
    posts: t.integer({ required: true }),
    page_views: t.bigint({ required: true }),
    tags: t.record(t.integer(), { required: true }),
  },
})

/** Figures for spreadsheets. */
export const StatsV1 = endpoint('Stats', {
  description: 'Figures for spreadsheets; version 2.0 is for programs.',
  version: '1.0',
  actions: { show: { summary: 'Show figures', routing: route.get('/'), responses: { ok: 'text/csv' } } },
})

/** Figures for programs. */
export const StatsV2 = endpoint('Stats', {
  description: 'Figures for programs.',
  version: '2.0',
  mediaType: Stats,
  actions: { show: { summary: 'Show figures', routing: route.get('/'), responses: { ok: Stats } } },
})
