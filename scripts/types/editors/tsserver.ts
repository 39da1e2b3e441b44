// Drives TypeScript 5.9's tsserver like an editor.
import { Connection, type Editor, type Message, type Place } from './editor.ts'

const toLocation = ({ line, column }: Place): Message => ({ line: line + 1, offset: column + 1 })

const fromLocation = (file: string, { line, offset }: Message): Place => ({ file, line: line - 1, column: offset - 1 })

/** Starts a tsserver. */
export function tsserver(): Editor {
  const connection = new Connection(
    ['node_modules/typescript-5.9/lib/tsserver.js', '--disableAutomaticTypingAcquisition'],
    false,
    ({ type, request_seq: id }) => (type === 'response' ? id : undefined),
  )
  const createRequest = (command: string, args: Message, seq = 0): Message => ({
    seq,
    type: 'request',
    command,
    arguments: args,
  })
  const sendRequest = async (command: string, args: Message): Promise<Message> =>
    (await connection.request((seq) => createRequest(command, args, seq)))['body']
  const sendRequestAt = (command: string, at: Place, more: Message = {}): Promise<Message> =>
    sendRequest(command, { file: at.file, ...toLocation(at), ...more })
  return {
    show: (file, text) => connection.notify(createRequest('open', { file, fileContent: text })),
    type(at, text, replaced = 0) {
      const end = { endLine: at.line + 1, endOffset: at.column + 1 + replaced }
      connection.notify(createRequest('change', { file: at.file, ...toLocation(at), ...end, insertString: text }))
    },
    async errors(file) {
      const found: Message[] = (await sendRequest('semanticDiagnosticsSync', { file })) ?? []
      return found.map(({ text }) => text.split('\n')[0])
    },
    async hover(at) {
      const body = await sendRequestAt('quickinfo', at)
      return body && { text: body.displayString, docs: body.documentation }
    },
    async definitions(at) {
      const found: Message[] = (await sendRequestAt('definition', at)) ?? []
      return found.map(({ file, start }) => fromLocation(file, start))
    },
    async references(at) {
      const found: Message[] = (await sendRequestAt('references', at))?.refs ?? []
      return found.map(({ file, start }) => fromLocation(file, start))
    },
    async renames(at) {
      const found: Message[] = (await sendRequestAt('rename', at))?.locs ?? []
      return found.flatMap(({ file, locs }) => locs.map(({ start }: Message) => fromLocation(file, start)))
    },
    async completions(at) {
      const found: Message[] = (await sendRequestAt('completionInfo', at))?.entries ?? []
      return found.map(({ name }) => name)
    },
    cpu: () => connection.cpu(),
    close: () => connection.close(),
  }
}
