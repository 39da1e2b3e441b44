// The snippets of docs/guide/documentation.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers, ask } from './support/http.ts'

// #region smallest
import { application, endpoint, route, t } from 'edict'
import { docs } from 'edict/docs'

const Books = endpoint('Books', {
  version: '1.0',
  description: `Everything about **books**.

| field | meaning |
|---|---|
| \`isbn\` | what is printed on the back |`,
  actions: {
    show: {
      description: 'One book. <em>HTML</em> is fine, too.',
      routing: route.get('/:isbn'),
      params: { isbn: t.string({ description: 'Ten or thirteen digits.', example: '0262510871' }) },
      responses: { ok: 'text/plain' },
    },
  },
})

const Health = endpoint('Health', {
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

const controllers = [
  Books.implement({ show: ({ isbn }) => `The book ${isbn}` }),
  Health.implement({ show: () => 'fine' }),
]

export const app = application({ title: 'Library', basePath: '/api', controllers, plugins: [docs()] })
// #endregion

// #region path
export const elsewhere = application({ controllers, plugins: [docs({ path: '/reference' })] })
// #endregion

// #region look
const gettingStarted = `# Getting started

Ask for a book by its number: \`GET /api/v1.0/books/0262510871\`.
`

export const branded = application({
  controllers,
  plugins: [
    docs({
      // Or from a file: readFileSync(new URL('getting-started.md', import.meta.url), 'utf8')
      pages: [gettingStarted],
      logo: { src: '/static/logo.svg', dark: '/static/logo-dark.svg', alt: 'Library' },
      favicon: '/static/favicon.ico',
      colors: { accent: { light: '#0f766e', dark: '#5eead4' } },
    }),
  ],
})
// #endregion

// #region guarded
import { security, verifier } from 'edict'

const Staff = security.basic<string>('Staff')

export const guarded = application({
  controllers,
  plugins: [docs({ security: Staff })],
  verifiers: [verifier(Staff, ({ user, password }) => (password === 'correct horse' ? user : undefined))],
})
// #endregion

// #region renderer
import { swaggerUi } from 'edict/docs/swagger-ui'

export const swaggerDocs = () => docs({ renderer: swaggerUi() })
// #endregion

// #region static
import { staticDocs } from 'edict/docs'

const names: string[] = []
for await (const { path, content } of staticDocs(app)) {
  // Write them where your server of files looks for them: writeFile(join(folder, path), content)
  if (content.length > 0) names.push(path.replace(/-[0-9a-f]+/, '-…'))
}
console.log(names.join(' ')) // index.html scalar-….js start.js openapi/1.0.json openapi.json
// #endregion

// --- what the page shows ---------------------------------------------------------------------------------------

const titles = async (path: string): Promise<string> => {
  const { info, servers } = JSON.parse(await (await ask(app, `GET ${path}`)).text())
  return `GET ${path}  →  ${info.title} ${info.version}, at ${servers[0].url}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  documents: async () =>
    [await titles('/api/docs/openapi/1.0.json'), await titles('/api/docs/openapi.json')].join('\n'),
  missing: () => answers(app, ['GET /api/docs/openapi/2.0.json']),
  guarded: async () => {
    const known = { Authorization: `Basic ${btoa('ada:correct horse')}` }
    const strange = await ask(guarded, 'GET /docs')
    const welcome = await ask(guarded, 'GET /docs', { headers: known })
    return [
      `GET /docs                             →  ${strange.status} ${strange.headers.get('WWW-Authenticate')}`,
      `GET /docs  with the password of Ada   →  ${welcome.status} ${welcome.headers.get('Content-Type')}`,
    ].join('\n')
  },
  policy: async () => {
    const { headers } = await ask(elsewhere, 'GET /reference')
    return ['Content-Security-Policy', 'Referrer-Policy', 'Cache-Control']
      .map((name) => `${name}: ${headers.get(name)}`)
      .join('\n')
  },
}
