// Shared parts of the peers: the tables of Drizzle, and a list with pages, places and a count as its users write them by hand.
import { createClient } from '@libsql/client'
import { and, asc, count, desc, gt, gte, lt, lte, or } from 'drizzle-orm'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import postgres from 'pg'
import { CONNECTIONS, engine, note, url } from './contestant.js'

const logger = { logQuery: note }

/** @param {string} name The contestant, by which the database's own processes are told apart. */
function open(name) {
  if (engine === 'sqlite') {
    const items = lite.sqliteTable('items', {
      id: lite.integer().primaryKey(),
      title: lite.text().notNull(),
      kind: lite.text().notNull(),
      price: lite.real(),
      stock: lite.integer().notNull(),
      active: lite.integer({ mode: 'boolean' }).notNull(),
      created_at: lite.text().notNull(),
    })
    return { db: libsql(createClient({ url }), { logger }), items, moment: (text) => text }
  }
  const items = pg.pgTable('items', {
    id: pg.integer().primaryKey(),
    title: pg.text().notNull(),
    kind: pg.text().notNull(),
    price: pg.doublePrecision(),
    stock: pg.integer().notNull(),
    active: pg.boolean().notNull(),
    created_at: pg.timestamp({ withTimezone: true }).notNull(),
  })
  const pool = new postgres.Pool({ connectionString: url, max: CONNECTIONS, application_name: name })
  return { db: nodePostgres(pool, { logger }), items, moment: (text) => new Date(text) }
}

/** The fields that a list may be ordered by; the key always follows. */
const FIELDS = ['title', 'created_at']

/** The orders that are taken, as texts. */
export const ORDERS = FIELDS.flatMap((field) => [`${field},id`, `-${field},id`])

/**
 * Makes the function that reads a part of the list and writes its links.
 * @param {string} name
 */
export function itemsOf(name) {
  const { db, items, moment } = open(name)
  const typed = (field, value) => (field === 'created_at' ? moment(value) : value)

  /** @param {{ order: string, page?: number, items: number, after?: string, before?: string, count: boolean }} sent */
  return async function list(sent) {
    const descending = sent.order.startsWith('-')
    const field = sent.order.slice(descending ? 1 : 0, -',id'.length)
    const backwards = sent.before !== undefined
    const [down, up] = [descending !== backwards, !backwards]
    const place = readPlace(sent.after ?? sent.before)
    // The first bound is what leads databases to the place in an index.
    const bound = place && {
      from: (down ? lte : gte)(items[field], typed(field, place[0])),
      beyond: (down ? lt : gt)(items[field], typed(field, place[0])),
      tied: (up ? gt : lt)(items.id, place[1]),
    }
    const rows = db
      .select()
      .from(items)
      .where(bound && and(bound.from, or(bound.beyond, bound.tied)))
      .orderBy((down ? desc : asc)(items[field]), (up ? asc : desc)(items.id))
      .limit(sent.items + 1)
      .offset(sent.page === undefined ? 0 : (sent.page - 1) * sent.items)
    const [read, total] = await Promise.all([
      rows,
      sent.count
        ? db
            .select({ all: count() })
            .from(items)
            .then(([one]) => one.all)
        : undefined,
    ])
    const more = read.length > sent.items
    const page = more ? read.slice(0, sent.items) : read
    if (backwards) page.reverse()
    const around = backwards ? { prev: more, next: true } : { prev: place !== undefined || sent.page > 1, next: more }
    return { page, total, link: linkOf(sent, field, { rows: page, total, around }) }
  }
}

/** Thrown for a place that is none. */
export class WrongPlace extends Error {}

function readPlace(text) {
  if (text === undefined) return undefined
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(place) && typeof place[0] === 'string' && Number.isInteger(place[1])) return place
  } catch {
    // Answered below.
  }
  throw new WrongPlace('This is no place.')
}

const placeOf = (row, field) => Buffer.from(JSON.stringify([row[field], row.id])).toString('base64url')

function linkOf({ order, page, items, count: counted }, field, { rows, total, around }) {
  const link = (relation, more) => {
    const query = new URLSearchParams({ order, items: String(items), ...(counted && { count: 'true' }), ...more })
    return `</items?${query}>; rel="${relation}"`
  }
  if (page === undefined) {
    const links = [link('first', {})]
    if (around.prev && rows.length > 0) links.push(link('prev', { before: placeOf(rows[0], field) }))
    if (around.next && rows.length > 0) links.push(link('next', { after: placeOf(rows.at(-1), field) }))
    return links.join(', ')
  }
  const links = [link('first', { page: '1' })]
  if (around.prev) links.push(link('prev', { page: String(page - 1) }))
  if (around.next) links.push(link('next', { page: String(page + 1) }))
  if (total !== undefined) links.push(link('last', { page: String(Math.ceil(total / items)) }))
  return links.join(', ')
}
