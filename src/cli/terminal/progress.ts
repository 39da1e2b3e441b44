// Progress messages on the terminal.

/** Says on a terminal what is going on once it has taken a second, and takes it back when it is done. */
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
