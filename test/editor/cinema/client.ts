// Calls of the cinema's actions; requests are taken and get no answer of the API.
import { client } from 'edict/client'
import { Films, Screenings } from './design.ts'

export const api = client(
  { Films, Screenings },
  { baseUrl: 'http://localhost/', fetch: async () => new Response(null, { status: 503 }) },
)

export async function calls(): Promise<string[]> {
  const lines: string[] = []
  const list = await api.Films.index({ order: '-title' })
  if (list.name === 'ok') for (const film of list.body) lines.push(film.title, film.director?.name ?? '')
  const shown = await api.Films.show({ id: 1 }, { headers: { 'X-Trace': 'a' } })
  if (shown.name === 'ok') lines.push(shown.body.title)
  const made = await api.Films.create({}, { payload: { title: 'Alice', genre: 'drama' } })
  if (made.name === 'created') lines.push(String(made.body.id))
  for await (const film of api.Films.index.all({})) lines.push(film.title)
  try {
    await api.Films.remove.ok({ id: 1 })
  } catch (error) {
    if (api.Films.remove.threw(error)) lines.push(error.response.name)
  }
  return lines
}
