// The duties of every contestant of the lists besides serving: it reports its port, and answers questions of its parent.

/** The engine and the address of the database that this process works on. */
export const [engine, url] = process.argv.slice(2)

/** How many connections each contestant may have to PostgreSQL. */
export const CONNECTIONS = 4

/** @type {{ text: string, values: readonly unknown[] }[] | undefined} */
let recorded

/**
 * Notes a statement while recording is on.
 * @param {string} text
 * @param {readonly unknown[]} values
 */
export function note(text, values) {
  recorded?.push({ text, values: [...values] })
}

const ANSWERS = {
  cpu: () => process.cpuUsage(),
  record: () => {
    recorded = []
  },
  statements: () => {
    const statements = recorded
    recorded = undefined
    return statements
  },
}

/** @param {number} port */
export function answering(port) {
  process.on('message', (question) => process.send?.({ answer: ANSWERS[question]() }))
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}
