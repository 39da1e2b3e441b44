// The part of start scripts that renderers share: loads documents and prepares them for readers.

/**
 * Declares `settings`, addressOf(listed), `load(url)`, which replaces `fetch`, `anchors`, the anchors of the pages of
 * prose, and `fragment`, the decoded fragment of the URL. It runs in browsers only.
 */
export const sharedScript: string = `  var settings = JSON.parse(document.getElementById('settings').textContent)
  var here = location.pathname.replace(/\\/+$/, '')
  // A proxy may have removed a prefix of the path.
  var mounted = settings.path !== undefined && here.endsWith(settings.path)
  var root = settings.server || location.origin + (mounted ? here.slice(0, here.length - settings.path.length) : '')
  var addresses = settings.documents.map(addressOf)
  var fragment = decodedFragment()
  // In the notation of renderers: '# Getting started' is at '#getting-started'.
  var anchors = (settings.pages || []).map(function (page) {
    return anchorOf(page.trim().split('\\n', 1)[0].replace(/^#+/, ''))
  })

  function anchorOf(title) {
    return title.toLowerCase().replace(/[^\\p{L}\\p{N}\\s_-]/gu, '').trim().replace(/[\\s_-]+/g, '-')
  }

  // An invalid fragment identifies nothing, and breaks renderers.
  function decodedFragment() {
    try {
      return decodeURIComponent(location.hash.slice(1))
    } catch (error) {
      history.replaceState(null, '', location.pathname + location.search)
      return ''
    }
  }

  function addressOf(one) {
    return new URL(one.url, location.href).href
  }

  // Fetches a URL, and prepares documents for readers. Other responses are unchanged.
  function load(input, init) {
    var answer = fetch(input, init)
    var url = typeof input === 'string' ? input : input.url || String(input)
    var listed = settings.documents[addresses.indexOf(url)]
    if (listed === undefined) return answer
    return answer.then(function (found) {
      if (!found.ok) return found
      return found.json().then(function (made) {
        return new Response(JSON.stringify(shown(made, listed)), { headers: { 'Content-Type': 'application/json' } })
      })
    })
  }

  function shown(made, listed) {
    made.info.description = introduction(made.info.description || '', settings.pages || [])
    // Requests go to the server of the page, unless a reader chooses another declared one.
    var versioned = settings.basePath + '/v' + encodeURIComponent(made.info.version)
    var inPath = made.servers[0].url.endsWith(versioned)
    made.servers = serversAt(inPath ? versioned : settings.basePath)
    Object.values(made.paths).forEach(function (item) {
      Object.values(item).forEach(function (operation) {
        operation.parameters = withoutVersions(operation.parameters || [], made.info.version, inPath)
        shorten(operation)
      })
    })
    // Renderers show the version as a badge, and documents must have one.
    if (listed.version === undefined) made.info.version = ''
    return made
  }

  function serversAt(path) {
    var own = { url: root + path }
    return (settings.servers || []).reduce(
      function (found, one) {
        var url = one.url.replace(/\\/+$/, '') + path
        if (url === own.url) own.description = one.description
        else found.push({ url: url, description: one.description })
        return found
      },
      [own],
    )
  }

  // Texts that begin with a heading are siblings in the menu.
  function introduction(text, pages) {
    if (pages.length === 0) return text
    var first = text === '' || /^\\s*#/.test(text) ? text : '# Introduction\\n\\n' + text
    var whole = [first].concat(pages.map(plainTitle)).join('\\n\\n').trim()
    return whole.split('{{server}}').join(root + settings.basePath)
  }

  // Scalar's menu does not find titles that contain code.
  function plainTitle(page) {
    return page.trim().replace(/^.*/, function (title) {
      return title.replace(/\`/g, '')
    })
  }

  // One carrier of the version is enough: the path, or else the first of the others.
  function withoutVersions(parameters, version, inPath) {
    var isFound = inPath
    return parameters.filter(function (one) {
      var isVersion = (one.schema || {}).const === version && /^(x-api-version|api_version)$/i.test(one.name)
      if (!isVersion) return true
      var isFirst = !isFound
      isFound = true
      if (isFirst) one.required = true
      return isFirst
    })
  }

  function shorten(operation) {
    // Does not repeat the summary in the description.
    var words = operation.summary.trim().split(/\\s+/).map(function (word) {
      return word.replace(/[.*+?^$\{}()|[\\]\\\\]/g, '\\\\$&')
    })
    var repeated = new RegExp('^\\\\s*' + words.join('\\\\s+') + '[.!?]?(?:\\\\s+|$)')
    if (operation.description) operation.description = operation.description.replace(repeated, '')
    operation.parameters.forEach(unselect)
  }

  // Examples show what may be sent; requests contain only required parameters.
  function unselect(parameter) {
    if (parameter.required) return
    ;[parameter].concat(Object.values(parameter.content || {})).forEach(function (one) {
      if (one.example === undefined) return
      one.examples = { example: { value: one.example, 'x-disabled': true } }
      delete one.example
    })
  }
`
