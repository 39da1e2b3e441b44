// Watches the shell between npm and a server. npm forwards a signal to it, and some shells, such as Debian's dash, exit
// without forwarding it: the server would keep running without a parent that could end it.

const POLL_INTERVAL = 200

/**
 * Calls a function when the parent of this process has ended, if an npm script started it; the returned function stops
 * watching.
 */
export function watchScriptParent(callback: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, POLL_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
