// A plugin that answers before anything is routed: the root of the server, above the base path, leads to the documentation.
import { type Plugin, Responses } from 'edict'

/** Leads people who open the server in a browser from / to the documentation. */
export const frontDoor: Plugin = {
  name: 'front-door',
  arrival({ method, url }) {
    if ((method !== 'GET' && method !== 'HEAD') || !['/', '/api', '/api/'].includes(url)) return undefined
    return new Responses.SeeOther({ headers: { Location: '/api/docs' } })
  },
}
