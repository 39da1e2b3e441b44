// The process in which the tests of a campaign run. Vitest would start one for every mutant; this one stays, with the
// packages that it has loaded, and evaluates all modules of the repository anew for every run.
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

const send = process.send.bind(process)
const exit = process.exit.bind(process)

// The first listener takes requests. Every start adds one for its calls, which takes the place of the one before.
let calls
let listeners = 0

init({
  post: (message) => send(message),
  on(listener) {
    listeners += 1
    if (listeners > 1) {
      if (calls !== undefined) process.off('message', calls)
      calls = listener
    }
    process.on('message', listener)
  },
  off: (listener) => process.off('message', listener),
  setup: setupEnvironment,
  runTests: (state, traces) => run('run', state, traces),
  collectTests: (state, traces) => run('collect', state, traces),
})

async function run(method, state, traces) {
  forget()
  try {
    await runBaseTests(method, state, traces)
  } finally {
    // Vitest refuses it while tests run.
    process.exit = exit
  }
}

/** Lets every module of the repository be evaluated anew, and what Stryker counted be counted anew. */
function forget() {
  delete globalThis.__stryker__
  const modules = globalThis.__vitest_worker__?.evaluatedModules
  modules?.idToModuleMap.forEach((node, path) => {
    if (/\/vitest\/dist\/|@vitest\//.test(path)) return
    node.promise = undefined
    node.exports = undefined
    node.evaluated = false
    node.importers.clear()
  })
}

// Without the campaign there are no tests to run.
process.on('disconnect', () => exit(0))
