// TypeScript 5.9's tsserver as an editor drives it.
import { Connection, type Editor, type Message, type Place } from './editor.ts'

const locationOf = ({ line, column }: Place): Message => ({ line: line + 1, offset: column + 1 })

const placeOf = (file: string, { line, offset }: Message): Place => ({ file, line: line - 1, column: offset - 1 })

/** Starts a tsserver. */
export function tsserver(): Editor {
  const connection = new Connection(
    ['node_modules/typescript-5.9/lib/tsserver.js', '--disableAutomaticTypingAcquisition'],
    false,
    ({ type, request_seq: id }) => (type === 'response' ? id : undefined),
  )
  const request = (command: string, args: Message, seq = 0): Message => ({
    seq,
    type: 'request',
    command,
    arguments: args,
  })
  const ask = async (command: string, args: Message): Promise<Message> =>
    (await connection.ask((seq) => request(command, args, seq)))['body']
  const askAt = (command: string, at: Place, more: Message = {}): Promise<Message> =>
    ask(command, { file: at.file, ...locationOf(at), ...more })
  return {
    show: (file, text) => connection.tell(request('open', { file, fileContent: text })),
    type(at, text, replaced = 0) {
      const end = { endLine: at.line + 1, endOffset: at.column + 1 + replaced }
      connection.tell(request('change', { file: at.file, ...locationOf(at), ...end, insertString: text }))
    },
    async errors(file) {
      const found: Message[] = (await ask('semanticDiagnosticsSync', { file })) ?? []
      return found.map(({ text }) => text.split('\n')[0])
    },
    async hover(at) {
      const body = await askAt('quickinfo', at)
      return body && { text: body.displayString, docs: body.documentation }
    },
    async definitions(at) {
      const found: Message[] = (await askAt('definition', at)) ?? []
      return found.map(({ file, start }) => placeOf(file, start))
    },
    async references(at) {
      const found: Message[] = (await askAt('references', at))?.refs ?? []
      return found.map(({ file, start }) => placeOf(file, start))
    },
    async renames(at) {
      const found: Message[] = (await askAt('rename', at))?.locs ?? []
      return found.flatMap(({ file, locs }) => locs.map(({ start }: Message) => placeOf(file, start)))
    },
    async completions(at) {
      const found: Message[] = (await askAt('completionInfo', at))?.entries ?? []
      return found.map(({ name }) => name)
    },
    cpu: () => connection.cpu(),
    close: () => connection.close(),
  }
}
