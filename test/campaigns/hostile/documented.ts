// An application whose descriptions attack the reader of its documentation: titles, names, examples and markdown.
import { application, endpoint, type Logger, mediaType, route, t } from 'edict'
import { docs } from 'edict/docs'

/** Texts that would run, load or break out if a page took them for markup. */
const ATTACKS: readonly string[] = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '[click](javascript:alert(3))',
  '![x](https://evil.invalid/pixel.png)',
  '<iframe src="https://evil.invalid/"></iframe>',
  '<!--<script>',
  '"><svg/onload=alert(4)>',
  '<style>*{background:url(https://evil.invalid/)}</style>',
  '\u2028\u2029</SCRIPT >',
  '<base href="https://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
]

const description = ATTACKS.join('\n\n')

const Note = mediaType('Note', {
  description,
  attributes: {
    text: t.string({ description, example: '</script><script>alert(5)</script>' }),
    kind: t.string({ values: ['</script>', '<b>', 'plain'] }),
  },
})

const Notes = endpoint('Notes', {
  description,
  mediaType: Note,
  actions: {
    index: {
      description,
      routing: route.get('//health'),
      params: { 'q"><script>': t.string({ description }) },
      responses: { ok: { mediaType: 'text/plain', description } },
    },
    create: {
      description,
      routing: route.post('/'),
      payload: { text: t.string({ description }) },
      responses: { ok: Note },
    },
  },
})

const notes = Notes.implement({ index: () => 'ok', create: (_, { reply }) => reply.ok({ text: 'fine' }) })

/** Makes the application; its title is an attack as well. */
export const documentedApp = (logger: Logger) =>
  application({
    title: '</title><script>alert(6)</script>"><img src=x onerror=alert(7)>',
    description,
    controllers: [notes],
    plugins: [docs()],
    environment: 'production',
    logger,
  })
