// The look of the documentation: its options, and the style sheet and header built from them.
import { form } from '../../extend.ts'

/** A picture at the top of the page. */
export interface Logo {
  /** A path of the server that serves the page, such as `/logo.svg`, or a `data:` URL. */
  readonly src: string
  /**
   * The picture for the dark mode.
   * @default that of the light mode
   */
  readonly dark?: string
  /**
   * The alternative text of the picture.
   * @default the title of the API
   */
  readonly alt?: string
  /** The target of a link around the picture. */
  readonly href?: string
}

/** A CSS colour for both modes, or one for each. */
export type DocsColor = string | { readonly light: string; readonly dark: string }

/** The colours of the page. */
export interface DocsColors {
  /** The colour of links and of selected items. */
  readonly accent?: DocsColor
  /** The colour of the text. */
  readonly text?: DocsColor
  /** The background of the page. */
  readonly background?: DocsColor
  /** The background of the menu. */
  readonly sidebar?: DocsColor
}

/** The look of the documentation. */
export interface DocsLook {
  /**
   * Markdown texts, each beginning with its title: `# Getting started`. They are shown before the reference, in this
   * order. `{{server}}` in a text is the URL of the API.
   * @default none
   */
  readonly pages?: readonly string[]
  /**
   * A picture at the top of the page: a path of the server that serves the page, a `data:` URL, or the details.
   * @default none
   */
  readonly logo?: string | Logo
  /**
   * The icon of the page: a path of the server that serves it, or a `data:` URL.
   * @default none
   */
  readonly favicon?: string
  /** CSS colours, such as `'#0b7285'`, or `{ light, dark }`. */
  readonly colors?: DocsColors
}

// The content security policy blocks pictures of other servers.
const pictureForm = form.custom(
  "a path of this server such as '/logo.svg', or a data: URL of a picture",
  (value) => typeof value === 'string' && /^(?:\/(?!\/)[^\s"<>]*|data:image\/[^\s"<>]+)$/.test(value),
)

const singleColorForm = form.custom(
  "a colour such as '#0b7285' or 'rgb(11 114 133)'",
  (value) =>
    typeof value === 'string' &&
    /^(?:#[\da-f]{3,8}|[a-z]+|(?:rgb|hsl|oklch|oklab|lab|lch)a?\([\d\s.,%/a-z+-]*\))$/i.test(value),
)

const colorForm = form.either(
  singleColorForm,
  form.object<Exclude<DocsColor, string>>({
    light: form.required(singleColorForm),
    dark: form.required(singleColorForm),
  }),
)

/** The form of the options. */
export const lookFields: form.Fields<DocsLook> = {
  pages: form.list(
    form.custom(
      "markdown that begins with its title: '# Getting started'",
      (value) => typeof value === 'string' && /^\s*# +\S/.test(value),
    ),
  ),
  logo: form.either(
    pictureForm,
    form.object<Logo>({ src: form.required(pictureForm), dark: pictureForm, alt: form.text, href: form.name }),
  ),
  favicon: pictureForm,
  colors: form.object<DocsColors>({ accent: colorForm, text: colorForm, background: colorForm, sidebar: colorForm }),
}

/** The CSS variables that each colour sets. */
const COLOR_VARIABLES: Readonly<Record<keyof DocsColors, readonly string[]>> = {
  accent: ['--scalar-color-accent', '--docs-accent', '--scalar-link-color'],
  text: ['--scalar-color-1', '--scalar-sidebar-color-1', '--docs-text'],
  background: ['--scalar-background-1', '--docs-background'],
  sidebar: ['--scalar-sidebar-background-1'],
}

/** Builds the style sheet of the page. */
export function buildStyleSheet({ colors = {}, logo }: DocsLook): string {
  const buildVariables = (mode: 'light' | 'dark'): string =>
    Object.entries(colors)
      .flatMap(([name, value]: [string, DocsColor]) => {
        const color = typeof value === 'string' ? value : value[mode]
        return COLOR_VARIABLES[name as keyof DocsColors].map((variable) => `${variable}: ${color}`)
      })
      .join('; ')
  const colorRules =
    Object.keys(colors).length === 0
      ? []
      : [`body.light-mode { ${buildVariables('light')} }`, `body.dark-mode { ${buildVariables('dark')} }`]
  return [BODY_CSS, ...colorRules, ...(logo === undefined ? [] : [HEADER_CSS])].join('\n')
}

// Tables of names and examples do not break words, but scroll. Scalar's light mode lacks contrast for small text (WCAG
// 1.4.3); the colours here have 4.5:1 on its greys.
const BODY_CSS = `body { margin: 0 }
body.light-mode { --scalar-color-2: #595959; --scalar-color-3: #666; --scalar-color-blue: #005f9e; --scalar-color-green: #00694a; --scalar-color-orange: #a34100; --scalar-color-red: #c00008; --scalar-color-yellow: #7a5b00; --scalar-sidebar-color-2: #595959 }
body.dark-mode { --scalar-color-3: #a3a3a3; --scalar-color-red: #ff6b6b }
.markdown pre code, .markdown pre code * { white-space: pre-wrap !important; word-break: break-word !important; overflow-wrap: anywhere !important; overflow: visible !important }
.markdown table { table-layout: auto !important }
.markdown table :is(th, td, code) { word-break: normal !important; overflow-wrap: normal !important }
.markdown :is(th, td) { padding: 6px 10px !important }
.markdown td code { padding: 1px 3px !important; margin: 0 !important }
.sidebar button[aria-expanded].absolute, aside button[aria-expanded].absolute { min-width: 24px; min-height: 24px }
[data-testid=code-input-lite-disabled] { min-width: 0; padding-right: 32px !important; overflow: hidden }
[data-testid=code-input-lite-disabled] span { overflow: hidden; text-overflow: ellipsis }
@media (max-width: 768px) { .scalar-sidebar-toggle { display: none } .t-app__top-container .m-auto { margin-inline: 0 !important } }
@media (max-width: 600px) { .markdown table { display: block !important; overflow-x: auto } }`

const HEADER_CSS = `:root { --scalar-custom-header-height: 56px }
.docs-header { box-sizing: border-box; position: sticky; top: 0; z-index: 20; height: 56px; padding: 0 16px; display: flex; align-items: center; background: var(--scalar-background-1, var(--docs-background, Canvas)); border-bottom: 1px solid var(--scalar-border-color, #8884) }
.docs-header a { display: flex; border-radius: 4px }
.docs-header img { height: 32px; max-width: 60vw }
.docs-header .dark, .dark-mode .docs-header .light { display: none }
.dark-mode .docs-header .dark { display: inline }`

/** Renders the header of the page; empty without a logo. */
export function renderPageHeader({ logo }: DocsLook, title: string, escapeText: (text: string) => string): string {
  if (logo === undefined) return ''
  const { src, dark, alt = title, href }: Logo = typeof logo === 'string' ? { src: logo } : logo
  const renderImage = (from: string, mode: string): string =>
    `<img${mode === '' ? '' : ` class="${mode}"`} src="${escapeText(from)}" alt="${escapeText(alt)}">`
  const images = dark === undefined ? renderImage(src, '') : renderImage(src, 'light') + renderImage(dark, 'dark')
  const linked = href === undefined ? images : `<a href="${escapeText(href)}">${images}</a>`
  return `<header class="docs-header">${linked}</header>\n`
}
