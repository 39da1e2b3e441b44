// Sets the theme before anything is drawn: the reader's choice, or that of the system.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('edict-theme')
  } catch {
    // Storage may be forbidden; the system decides then.
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = chosen ?? (isDark ? 'dark' : 'light')
})()
