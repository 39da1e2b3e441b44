// The shell between npm and a server. npm passes a signal on to it, and some shells, such as Debian's dash, end by it without
// passing it on: the server would run on without anybody who could end it.

const POLL_INTERVAL = 200

/** Calls a function once the parent of this process has ended, if a script of npm started it; the result stops waiting. */
export function watchScriptParent(act: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, POLL_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
