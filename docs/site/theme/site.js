// The parts of a page that move: menu, theme, versions and search. All of it asks the server of the page only.
const { root, version } = document.body.dataset
const element = (name) => document.getElementById(`ui-${name}`)

// Theme.
const themeButton = element('theme')
const showTheme = () =>
  themeButton.setAttribute('aria-pressed', String(document.documentElement.dataset.theme === 'dark'))
themeButton.addEventListener('click', () => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem('edict-theme', theme)
  } catch {
    // Without storage the choice lasts for this page.
  }
  showTheme()
})
showTheme()

// Menu of narrow screens.
const menuButton = element('menu')
menuButton.addEventListener('click', () => {
  const isOpen = menuButton.getAttribute('aria-expanded') === 'true'
  menuButton.setAttribute('aria-expanded', String(!isOpen))
  element('navigation').classList.toggle('open', !isOpen)
})
element('navigation').querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })

// Copies a block of code. A block that scrolls is reached by the keyboard, and so is its button.
for (const block of document.querySelectorAll('main pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('data-pagefind-ignore', '')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? block.textContent)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  }
  button.addEventListener('click', () => void copy())
  const frame = document.createElement('div')
  frame.className = 'block'
  block.replaceWith(frame)
  frame.append(block, button)
}

// Versions are folders beside this one; versions.json lists them.
const here = new URL(root || './', location.href)
const versions = element('versions')
async function listVersions() {
  const answer = await fetch(new URL('../versions.json', here))
  if (!answer.ok) return
  const { versions: names } = await answer.json()
  versions.replaceChildren(...names.map((name) => new Option(name, name, name === version, name === version)))
}
async function switchVersion() {
  const other = new URL(`../${versions.value}/`, here)
  const same = new URL(location.href.slice(here.href.length), other)
  const isThere = await fetch(same, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  location.href = isThere ? same.href : new URL('index.html', other).href
}
versions.addEventListener('change', () => void switchVersion())
listVersions().catch(() => {})

// Search.
const dialog = element('search')
const [query, found, results] = ['query', 'found', 'results'].map(element)
let engine
let titles
function openSearch() {
  if (!dialog.open) dialog.showModal()
  query.focus()
  engine ??= import(new URL('pagefind/pagefind.js', here).href).then(async (made) => {
    await made.options({ baseUrl: here.pathname, excerptLength: 18 })
    await made.init()
    return made
  })
  titles ??= fetch(new URL('titles.json', here)).then((answer) => answer.json())
}
element('open-search').addEventListener('click', openSearch)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  const asks = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!asks) return
  event.preventDefault()
  openSearch()
})

function resultOf({ url, meta, excerpt }) {
  const [item, link, text] = ['li', 'a', 'p'].map((name) => document.createElement(name))
  link.href = url
  link.textContent = meta.title
  // The excerpt is a text of ours, escaped, with the hits marked.
  text.innerHTML = excerpt
  item.append(link, text)
  return item
}

async function search() {
  const asked = query.value.trim()
  if (asked === '') {
    found.textContent = ''
    results.replaceChildren()
    return
  }
  const hits = await (await engine).debouncedSearch(asked, {}, 150)
  if (hits === null || asked !== query.value.trim()) return
  const data = await Promise.all(hits.results.slice(0, 12).map((hit) => hit.data()))
  const first = titledAs(asked, await titles)
  const rest = data.filter(({ url }) => !first.some((one) => one.url === url))
  // Where a page of the title has an excerpt, it keeps it.
  const shown = [...first.map((one) => data.find(({ url }) => url === one.url) ?? one), ...rest]
  const count = Math.max(hits.results.length, shown.length)
  found.textContent = count === 1 ? '1 page' : `${count} pages`
  results.replaceChildren(...shown.map(resultOf))
}

/** The pages that a text names: by the title, by the name before an entry point in parentheses, or by the file. */
function titledAs(asked, all) {
  const plain = (text) =>
    text
      .toLowerCase()
      .replaceAll(/[\s`-]+/g, ' ')
      .replaceAll(/s\b/g, '')
      .trim()
  const namesOf = ({ title, url, aliases = [] }) => [
    title,
    title.replace(/ \(.*\)$/, ''),
    /([^/]+)\.html$/.exec(url)[1],
    ...aliases,
  ]
  const isAsked = (page) => namesOf(page).some((name) => plain(name) === plain(asked))
  // Of `route` and `Route`, the one as it is written comes first.
  const isExact = (page) => namesOf(page).includes(asked)
  const hits = all.filter(isAsked).sort((a, b) => Number(isExact(b)) - Number(isExact(a)))
  return hits.map(({ title, url }) => ({ url: here.pathname + url, meta: { title }, excerpt: '' }))
}
query.addEventListener('input', () => {
  search().catch(() => {
    found.textContent = 'The index of the search cannot be read.'
  })
})
