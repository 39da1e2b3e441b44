// Drives TypeScript 7's language server like an editor, by the Language Server Protocol.
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Connection, type Editor, type Message, type Place } from './editor.ts'

const capabilities = {
  textDocument: { diagnostic: {}, hover: { contentFormat: ['markdown'] }, completion: {}, definition: {}, rename: {} },
}

const toLspPosition = ({ line, column }: Place): Message => ({ line, character: column })

const fromLspLocation = ({ uri, range }: Message): Place => ({
  file: fileURLToPath(uri),
  line: range.start.line,
  column: range.start.character,
})

const toList = (found: Message): Message[] => (Array.isArray(found) ? found : [found].filter(Boolean))

// The text contains the declaration as code, followed by the documentation.
function parseHover(contents: Message): { text: string; docs: string } {
  const value: string = typeof contents === 'string' ? contents : contents.value
  const [, fenced = value, rest = ''] = /^```\w*\n(.*?)\n```\n?(.*)$/s.exec(value) ?? []
  return { text: fenced, docs: rest.trim() }
}

/** Starts a language server for a folder. */
export function languageServer(folder: string): Editor {
  const connection = new Connection(
    ['node_modules/typescript/bin/tsc', '--lsp', '--stdio'],
    true,
    ({ id, method, params }) => {
      // The server also sends requests, for settings and registrations: it gets null settings and an empty confirmation.
      if (method === undefined) return id
      if (id !== undefined)
        send({ id, result: method === 'workspace/configuration' ? params.items.map(() => null) : null })
      return undefined
    },
  )
  const send = (message: Message): void => connection.notify({ jsonrpc: '2.0', ...message })
  const toUri = (file: string): string => pathToFileURL(file).href
  const versions = new Map<string, number>()
  const takeVersion = (file: string): number => {
    versions.set(file, (versions.get(file) ?? 0) + 1)
    return versions.get(file)!
  }
  const ready = connection
    .request((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { processId: process.pid, rootUri: toUri(resolve(folder)), capabilities },
    }))
    .then(() => send({ method: 'initialized', params: {} }))
  const notify = (method: string, params: Message): void => void ready.then(() => send({ method, params }))
  const sendRequest = async (method: string, params: Message): Promise<Message> => {
    await ready
    return (await connection.request((id) => ({ jsonrpc: '2.0', id, method, params })))['result']
  }
  const sendRequestAt = (method: string, at: Place, more: Message = {}): Promise<Message> =>
    sendRequest(method, { textDocument: { uri: toUri(at.file) }, position: toLspPosition(at), ...more })
  const change = (file: string, contentChange: Message): void =>
    notify('textDocument/didChange', {
      textDocument: { uri: toUri(file), version: takeVersion(file) },
      contentChanges: [contentChange],
    })
  return {
    show(file, text) {
      if (versions.has(file)) return change(file, { text })
      const document = { uri: toUri(file), languageId: 'typescript', version: takeVersion(file), text }
      notify('textDocument/didOpen', { textDocument: document })
    },
    type(at, text, replaced = 0) {
      const end = { line: at.line, character: at.column + replaced }
      change(at.file, { range: { start: toLspPosition(at), end }, text })
    },
    async errors(file) {
      const found = await sendRequest('textDocument/diagnostic', { textDocument: { uri: toUri(file) } })
      return (found?.items ?? [])
        .filter(({ severity }: Message) => severity === 1)
        .map(({ message }: Message) => message.split('\n')[0])
    },
    async hover(at) {
      const found = await sendRequestAt('textDocument/hover', at)
      return found?.contents && parseHover(found.contents)
    },
    definitions: async (at) => toList(await sendRequestAt('textDocument/definition', at)).map(fromLspLocation),
    async references(at) {
      const found = await sendRequestAt('textDocument/references', at, { context: { includeDeclaration: true } })
      return toList(found).map(fromLspLocation)
    },
    async renames(at) {
      const found = await sendRequestAt('textDocument/rename', at, { newName: 'renamed' })
      const changes: [string, Message[]][] = Object.entries(found?.changes ?? {})
      return changes.flatMap(([uri, edits]) => edits.map(({ range }) => fromLspLocation({ uri, range })))
    },
    async completions(at) {
      const found = await sendRequestAt('textDocument/completion', at)
      return toList(found?.items ?? found).map(({ label }) => label.replace(/\?$/, ''))
    },
    cpu: () => connection.cpu(),
    close: () => connection.close(),
  }
}
