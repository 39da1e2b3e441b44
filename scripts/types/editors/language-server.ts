// TypeScript 7's language server as an editor drives it, by the Language Server Protocol.
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Connection, type Editor, type Message, type Place } from './editor.ts'

const capabilities = {
  textDocument: { diagnostic: {}, hover: { contentFormat: ['markdown'] }, completion: {}, definition: {}, rename: {} },
}

const positionOf = ({ line, column }: Place): Message => ({ line, character: column })

const placeOf = ({ uri, range }: Message): Place => ({
  file: fileURLToPath(uri),
  line: range.start.line,
  column: range.start.character,
})

const listOf = (found: Message): Message[] => (Array.isArray(found) ? found : [found].filter(Boolean))

// The text is one: the declaration as code, and the documentation behind it.
function hoverOf(contents: Message): { text: string; docs: string } {
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
      // The server asks too, for settings and for leave to register: it gets none, and leave.
      if (method === undefined) return id
      if (id !== undefined)
        tell({ id, result: method === 'workspace/configuration' ? params.items.map(() => null) : null })
      return undefined
    },
  )
  const tell = (message: Message): void => connection.tell({ jsonrpc: '2.0', ...message })
  const uriOf = (file: string): string => pathToFileURL(file).href
  const versions = new Map<string, number>()
  const nextVersion = (file: string): number => {
    versions.set(file, (versions.get(file) ?? 0) + 1)
    return versions.get(file)!
  }
  const ready = connection
    .ask((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { processId: process.pid, rootUri: uriOf(resolve(folder)), capabilities },
    }))
    .then(() => tell({ method: 'initialized', params: {} }))
  const notify = (method: string, params: Message): void => void ready.then(() => tell({ method, params }))
  const ask = async (method: string, params: Message): Promise<Message> => {
    await ready
    return (await connection.ask((id) => ({ jsonrpc: '2.0', id, method, params })))['result']
  }
  const askAt = (method: string, at: Place, more: Message = {}): Promise<Message> =>
    ask(method, { textDocument: { uri: uriOf(at.file) }, position: positionOf(at), ...more })
  const change = (file: string, contentChange: Message): void =>
    notify('textDocument/didChange', {
      textDocument: { uri: uriOf(file), version: nextVersion(file) },
      contentChanges: [contentChange],
    })
  return {
    show(file, text) {
      if (versions.has(file)) return change(file, { text })
      const document = { uri: uriOf(file), languageId: 'typescript', version: nextVersion(file), text }
      notify('textDocument/didOpen', { textDocument: document })
    },
    type(at, text, replaced = 0) {
      const end = { line: at.line, character: at.column + replaced }
      change(at.file, { range: { start: positionOf(at), end }, text })
    },
    async errors(file) {
      const found = await ask('textDocument/diagnostic', { textDocument: { uri: uriOf(file) } })
      return (found?.items ?? [])
        .filter(({ severity }: Message) => severity === 1)
        .map(({ message }: Message) => message.split('\n')[0])
    },
    async hover(at) {
      const found = await askAt('textDocument/hover', at)
      return found?.contents && hoverOf(found.contents)
    },
    definitions: async (at) => listOf(await askAt('textDocument/definition', at)).map(placeOf),
    async references(at) {
      const found = await askAt('textDocument/references', at, { context: { includeDeclaration: true } })
      return listOf(found).map(placeOf)
    },
    async renames(at) {
      const found = await askAt('textDocument/rename', at, { newName: 'renamed' })
      const changes: [string, Message[]][] = Object.entries(found?.changes ?? {})
      return changes.flatMap(([uri, edits]) => edits.map(({ range }) => placeOf({ uri, range })))
    },
    async completions(at) {
      const found = await askAt('textDocument/completion', at)
      return listOf(found?.items ?? found).map(({ label }) => label.replace(/\?$/, ''))
    },
    cpu: () => connection.cpu(),
    close: () => connection.close(),
  }
}
