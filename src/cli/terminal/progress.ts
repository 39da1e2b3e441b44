// Progress messages on the terminal.

/** Shows a message on a terminal while work takes longer than a second, and clears it at the end. */
export async function withProgress<V>(stream: NodeJS.WriteStream, text: string, work: () => Promise<V>): Promise<V> {
  if (!stream.isTTY) return work()
  let shown = false
  const timer = setTimeout(() => {
    shown = true
    stream.write(`${text} …`)
  }, 1000)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (shown) stream.write('\r\u001b[K')
  }
}
