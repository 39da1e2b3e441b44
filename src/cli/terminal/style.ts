// Colours for terminals that support them.
import util from 'node:util'

/** The styles that commands use. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Gives the function that styles texts for a stream: on a terminal, unless NO_COLOR is set; elsewhere texts stay plain. */
export function createPainter(stream: NodeJS.WriteStream): (style: TextStyle, text: string) => string {
  const coloured = stream.hasColors?.() === true && 'styleText' in util
  return (style, text) => (coloured ? util.styleText(style, text) : text)
}
