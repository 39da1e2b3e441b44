// Maintenance: every request gets a 503, except those to paths that stay open.
import type { Plugin } from 'edict'
import { defineCodes, problem } from 'edict/extend'

const codes = defineCodes('maintenance', {
  failures: { maintenance: { status: 503, title: 'The API is under maintenance' } },
})

/** Refuses requests while `isOn` says so; `open` lists the beginnings of paths that stay open. */
export const maintenance = (isOn: () => boolean, open: readonly string[] = []): Plugin => ({
  name: 'maintenance',
  codes,
  arrival({ url }) {
    if (!isOn() || open.some((path) => url.startsWith(path))) return undefined
    return problem({ ...codes.failures.maintenance, headers: { 'Retry-After': '120' } })
  },
  operation: () => ({ responses: { 503: { description: codes.failures.maintenance.title } } }),
})
