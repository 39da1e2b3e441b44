// Renders the Markdown of the repository as GitHub does: the same ids of headings, no HTML, code in colours of both themes.
import markdownIt from 'markdown-it'
import { createHighlighter } from 'shiki'

const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }
const languages = ['ts', 'js', 'json', 'jsonc', 'http', 'shellsession', 'sh', 'sql', 'nginx', 'yaml', 'docker', 'toml']
const aliases = { mts: 'ts', cts: 'ts', tsx: 'ts', mjs: 'js', cjs: 'js', console: 'shellsession', dockerfile: 'docker' }

/** The id that GitHub gives to a heading. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')

/** The renderer; `rootOf` gives the path from a page to the root of the site. */
export async function markdownOf(rootOf) {
  const highlighter = await createHighlighter({ themes: Object.values(themes), langs: languages })
  const known = new Set(highlighter.getLoadedLanguages())
  const markdown = markdownIt({
    html: false,
    highlight(code, info) {
      const named = aliases[info] ?? info
      const lang = known.has(named) ? named : 'text'
      return highlighter.codeToHtml(code.replace(/\n$/, ''), { lang, themes, defaultColor: false })
    },
  })
  markdown.core.ruler.before('normalize', 'comments', (state) => {
    state.src = withoutComments(state.src)
  })
  markdown.core.ruler.push('headings', giveIds)
  markdown.core.ruler.push('addresses', (state) => {
    for (const { children } of state.tokens) for (const token of children ?? []) relate(token, rootOf(state.env.url))
  })
  const validate = markdown.validateLink.bind(markdown)
  markdown.validateLink = (url) => url.startsWith('site:') || validate(url)
  // Wide tables scroll by themselves, also with the keys.
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return markdown
}

/** Comments mark generated tables for scripts; readers have no use for them. */
const withoutComments = (source) =>
  source.replaceAll(/^(`{3,})[\s\S]*?^\1$|^<!--.*?-->\n/gm, (whole, fence) => (fence === undefined ? '' : whole))

function giveIds(state) {
  const seen = new Map()
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const { children } = state.tokens[index + 1]
    const text = children
      .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
      .join('')
    const slug = slugOf(text)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
  }
}

/** Addresses from the root of the site become those from the page. */
function relate(token, root) {
  for (const name of ['href', 'src']) {
    const url = token.attrGet(name)
    if (url?.startsWith('site:')) token.attrSet(name, root + url.slice('site:'.length))
  }
  if (token.type === 'image') token.attrSet('loading', 'lazy')
}
