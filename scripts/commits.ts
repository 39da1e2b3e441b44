// `npm run check:commits`: subjects of commits since the rule was made have 72 characters at most and no full stop, and begin with
// a verb in the imperative.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The last commit that the rule does not ask. */
const since = '9d56c08cc0b2b76570eb4a3f37ce122db9aa53da'
/** The most characters of a subject: tools cut longer ones. */
const LONGEST = 72

/** Imperatives that look like something else. */
const VERBS = /^(?:Bring|Embed|Feed|Need|Ring|Seed|Shed|Sing|Speed|String|Bias|Focus)$/
/** First words that no imperative has: participles, third persons, articles and the like. */
const NO_VERB = /(?:[^s]s|ed|ing|:)$|^(?:An?|The|It|This|That|Some|All|No|New)$/

/** Returns the flaw in the subject of a commit; undefined without one. */
export function subjectMistake(subject: string): string | undefined {
  if (subject.length > LONGEST) return `has ${subject.length} characters, not ${LONGEST} at most`
  if (subject.endsWith('.')) return 'ends with a full stop'
  if (!/^[A-Z`]/.test(subject)) return 'does not begin with a capital letter'
  const [first = ''] = subject.split(' ')
  if (NO_VERB.test(first) && !VERBS.test(first)) return 'does not begin with a verb in the imperative'
  return undefined
}

/** The commits to ask, as hash and subject; none where there is no repository, only the last in a shallow clone. */
function commits(): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  const isKnown = git('merge-base', '--is-ancestor', since, 'HEAD').status === 0
  const { stdout, status } = git('log', '--no-merges', '--format=%h %s', isKnown ? `${since}..HEAD` : '-1')
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}

function main(): void {
  const mistakes = commits().flatMap((line) => {
    const [hash, subject] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    const mistake = subjectMistake(subject)
    return mistake === undefined ? [] : [`${hash} ${subject}\n  ${mistake}`]
  })
  for (const mistake of mistakes) console.error(mistake)
  if (mistakes.length > 0)
    console.error('Remedy: git rebase -i and reword; of commits that others have, move `since` in scripts/commits.ts.')
  process.exitCode = mistakes.length === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
