// An application that only edict offers: schemes of security in front of actions, files that are read as they arrive, and
// bodies of JSON up to the default limits.
import { application, endpoint, type Logger, route, security, t, type UploadedFile, verifier } from 'edict'

interface Reader {
  readonly name: string
}

const Card = security.bearer<Reader>('Card')
const Door = security.basic<Reader>('Door')
const Key = security.apiKey<Reader>('Key', { in: 'header', name: 'X-Key' })
const Crumb = security.apiKey<Reader>('Crumb', { in: 'cookie', name: 'crumb' })
const Ticket = security.apiKey<Reader>('Ticket', { in: 'query', name: 'ticket' })

const known = { responses: { ok: 'text/plain' } } as const

/** The limit that holds where none is set. */
const usual = { ...known, bodyLimit: 1024 * 1024 } as const

const Guarded = endpoint('Guarded', {
  prefix: '/',
  actions: {
    health: { routing: route.get('/health'), ...known },
    card: { routing: route.get('/card'), security: Card, ...known },
    door: { routing: route.get('/door'), security: Door, ...known },
    key: { routing: route.get('/key'), security: Key, ...known },
    crumb: { routing: route.get('/crumb'), security: Crumb, ...known },
    ticket: { routing: route.get('/ticket'), security: Ticket, ignore: ['ticket'], ...known },
    write: { routing: route.post('/write'), security: Card, payload: { text: t.string({ required: true }) }, ...known },
    stream: { routing: route.put('/stream'), payload: t.file({ required: true, stream: true }), ...known },
    careless: { routing: route.put('/careless'), payload: t.file({ required: true, stream: true }), ...known },
    anything: { routing: route.post('/anything'), payload: t.any(), ...usual },
    numbers: { routing: route.post('/numbers'), payload: t.array(t.integer()), ...usual },
    texts: { routing: route.post('/texts'), payload: t.array(t.string()), ...usual },
    upload: {
      routing: route.post('/upload'),
      payload: { title: t.string({ required: true }), file: t.file({ required: true, stream: true, max: 64 * 1024 }) },
      ...known,
    },
  },
})

/** Reads a file to its end and says how long it was. */
async function lengthOf(file: UploadedFile): Promise<string> {
  let length = 0
  for await (const piece of file.stream() as unknown as AsyncIterable<Uint8Array>) length += piece.length
  return `${length} bytes`
}

const guarded = Guarded.implement({
  health: () => 'ok',
  card: (_, { principal }) => principal.name,
  door: (_, { principal }) => principal.name,
  key: (_, { principal }) => principal.name,
  crumb: (_, { principal }) => principal.name,
  ticket: (_, { principal }) => principal.name,
  write: (_, { request }) => request.payload.text,
  stream: (_, { request }) => lengthOf(request.payload),
  // Answers without having looked at the file.
  careless: () => 'thank you',
  anything: () => 'ok',
  numbers: () => 'ok',
  texts: () => 'ok',
  upload: (_, { request }) => lengthOf(request.payload.file),
})

const reader = (secret: string): Reader | undefined => (secret === 'open' ? { name: 'Ada' } : undefined)

/** Makes the application. */
export const guardedApp = (logger: Logger) =>
  application({
    controllers: [guarded],
    verifiers: [
      verifier(Card, reader),
      verifier(Door, ({ user, password }) => (user === 'ada' ? reader(password) : undefined)),
      verifier(Key, reader),
      verifier(Crumb, reader),
      verifier(Ticket, reader),
    ],
    limits: { body: 256 * 1024 },
    environment: 'production',
    logger,
  })
