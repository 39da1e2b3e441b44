// The layout of every page: navigation, content, the pages before and after it, the headings of the page, search, versions, themes.

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The groups of the navigation; that of the page itself is open. */
function navigationOf({ navigation, root, url }) {
  const item = (link) => {
    const current = link.url === url ? ' aria-current="page"' : ''
    return `<li><a href="${root}${link.url}"${current}>${escaped(link.text)}</a></li>`
  }
  const group = ({ title, links }) => {
    const open = links.some((link) => link.url === url || sameFolder(link.url, url)) ? ' open' : ''
    return `<details${open}><summary>${escaped(title)}</summary><ul>${links.map(item).join('')}</ul></details>`
  }
  const part = ({ title, groups }) => `<h2>${escaped(title)}</h2>${groups.map(group).join('')}`
  return navigation.map(part).join('')
}

/** Names stand in the folder of their entry point. */
const sameFolder = (link, url) => link.startsWith('names/') && url.startsWith(link.slice(0, -'index.html'.length))

/** The headings of a page, for long ones. */
function headingsOf(content) {
  const found = [...content.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)]
  if (found.length < 2) return ''
  const items = found.map(([, level, id, html]) => {
    const text = html.replaceAll(/<[^>]+>/g, '')
    return `<li class="level-${level}"><a href="#${id}">${text}</a></li>`
  })
  return `<nav class="headings" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

/** The first page shows the declaration beside all that follows from it: each part is a section. */
function sectionsOf(content) {
  const [head, ...parts] = content.split(/(?=<h2 )/)
  return `${head}<div class="columns">${parts.map((part) => `<section>${part}</section>`).join('')}</div>`
}

/** The pages before and after this one, in the order of the navigation. */
function neighboursOf({ navigation, root, url }) {
  const all = navigation.flatMap(({ groups }) => groups.flatMap(({ links }) => links))
  const at = all.findIndex((link) => link.url === url)
  if (at === -1) return ''
  const link = (other, rel, text) =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${root}${other.url}"><span>${text}</span> ${escaped(other.text)}</a>`
  const links = `${link(all[at - 1], 'prev', 'Previous')}${link(all[at + 1], 'next', 'Next')}`
  return `<nav class="neighbours" data-pagefind-ignore aria-label="Previous and next page">${links}</nav>`
}

/** The footer of every page. */
function footerOf({ root, version, footer }) {
  const links = footer.map(({ text, url }) => `<li><a href="${root}${url}">${escaped(text)}</a></li>`)
  return `<footer><p>edict ${version}</p><ul>${links.join('')}</ul></footer>`
}

/** Headings can be linked to. */
const withAnchors = (content) =>
  content.replaceAll(
    /<h([2-6]) id="([^"]+)">(.*?)<\/h\1>/g,
    (_, level, id, html) =>
      `<h${level} id="${id}">${html} <a class="anchor" data-pagefind-ignore href="#${id}" aria-label="Link to ${escaped(html.replaceAll(/<[^>]+>/g, ''))}">#</a></h${level}>`,
  )

const searchDialog = `<dialog id="ui-search" aria-label="Search">
<form method="dialog"><label for="ui-query">Search the documentation</label>
<div class="row"><input id="ui-query" type="search" autocomplete="off" spellcheck="false"><button>Close</button></div></form>
<p id="ui-found" role="status"></p><ol id="ui-results"></ol></dialog>`

export function render(data) {
  const { title, content, root, version, url, weight } = data
  const isFirst = url === 'index.html'
  const body = isFirst ? sectionsOf(withAnchors(content)) : withAnchors(content)
  const headings = isFirst ? '' : headingsOf(content)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isFirst ? 'edict' : `${escaped(title)} – edict`}</title>
<meta name="description" content="${escaped(isFirst ? 'A TypeScript framework for HTTP APIs: declare an endpoint once.' : `${title} in the documentation of edict ${version}.`)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}style.css">
<script src="${root}theme.js"></script>
<script type="module" src="${root}site.js"></script>
</head>
<body data-root="${root}" data-version="${version}" class="${isFirst ? 'first' : ''}">
<a class="skip" href="#ui-content">Skip to the content</a>
<header>
<button id="ui-menu" aria-expanded="false" aria-controls="ui-navigation">Menu</button>
<a class="home" href="${root}index.html">edict</a>
<button id="ui-open-search" type="button">Search <kbd>/</kbd></button>
<label class="versions">Version <select id="ui-versions"><option>${version}</option></select></label>
<button id="ui-theme" type="button" aria-label="Dark theme" aria-pressed="false">◐</button>
</header>
<div class="page">
<nav id="ui-navigation" aria-label="Documentation">${navigationOf(data)}</nav>
<main id="ui-content" data-pagefind-body data-pagefind-weight="${weight}" data-pagefind-meta="title:${escaped(title)}">
${body}
${neighboursOf(data)}
</main>
${headings}
</div>
${footerOf(data)}
${searchDialog}
</body>
</html>
`
}
