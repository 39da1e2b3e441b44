// The script that starts Scalar in the page. It is a separate file, so that the page needs no inline script.

/** The script as it is served; it runs in browsers only. */
export const startScript: string = `// Shows the documents that the page lists.
(function () {
  var settings = JSON.parse(document.getElementById('settings').textContent)
  var here = location.pathname.replace(/\\/+$/, '')
  // In front of the path that the application knows there may be one that a proxy has taken away.
  var mounted = settings.path !== undefined && here.endsWith(settings.path)
  var root = location.origin + (mounted ? here.slice(0, here.length - settings.path.length) : '')
  Scalar.createApiReference('#documentation', {
    sources: settings.documents.map(function (one) {
      return {
        title: one.title,
        slug: one.slug,
        url: new URL(one.url, location.href).href,
        authentication: { preferredSecurityScheme: one.scheme },
        agent: { disabled: true },
      }
    }),
    baseServerURL: settings.server || root,
    // Nothing here may ask any other server, nor offer to.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    proxyUrl: '',
  })
})()
`
