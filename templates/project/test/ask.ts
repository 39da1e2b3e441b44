// Asks an API as a client would, without a socket.
import type { Application } from 'edict'

/** Sends `POST /books` with a body as JSON; gives the status, the headers and the body of the answer. */
export async function ask(app: Application, line: string, body?: unknown) {
  const [method = 'GET', path = '/'] = line.split(' ')
  const answer = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  )
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}
