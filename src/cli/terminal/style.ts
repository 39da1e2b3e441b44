// Colours for terminals that support them.
import util from 'node:util'

/** The styles that commands use. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Returns the function that styles text for a stream; text stays plain without a terminal or with NO_COLOR. */
export function createPainter(stream: NodeJS.WriteStream): (style: TextStyle, text: string) => string {
  const coloured = stream.hasColors?.() === true && 'styleText' in util
  return (style, text) => (coloured ? util.styleText(style, text) : text)
}
