// `npm run check:commits`: checks the subjects of commits since the rule was introduced: at most 72 characters, no full
// stop, and a verb in the imperative first.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The last commit that is exempt from the rule. */
const since = '9d56c08cc0b2b76570eb4a3f37ce122db9aa53da'
/** The maximum length of a subject: tools truncate longer ones. */
const MAX_LENGTH = 72

/** Imperatives that look like another form. */
const VERBS = /^(?:Bring|Embed|Feed|Need|Ring|Seed|Shed|Sing|Speed|String|Bias|Focus)$/
/** First words that are not imperatives: participles, third persons, articles and so on. */
const NON_IMPERATIVES = /(?:[^s]s|ed|ing|:)$|^(?:An?|The|It|This|That|Some|All|No|New)$/

/** Returns the flaw in the subject of a commit; undefined without one. */
export function findSubjectMistake(subject: string): string | undefined {
  if (subject.length > MAX_LENGTH) return `has ${subject.length} characters, not ${MAX_LENGTH} at most`
  if (subject.endsWith('.')) return 'ends with a full stop'
  if (!/^[A-Z`]/.test(subject)) return 'does not begin with a capital letter'
  const [first = ''] = subject.split(' ')
  if (NON_IMPERATIVES.test(first) && !VERBS.test(first)) return 'does not begin with a verb in the imperative'
  return undefined
}

/** Returns the commits to check, as hash and subject; empty without a repository, only the last in a shallow clone. */
function listCommits(): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  const isKnown = git('merge-base', '--is-ancestor', since, 'HEAD').status === 0
  const { stdout, status } = git('log', '--no-merges', '--format=%h %s', isKnown ? `${since}..HEAD` : '-1')
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}

function main(): void {
  const mistakes = listCommits().flatMap((line) => {
    const [hash, subject] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    const mistake = findSubjectMistake(subject)
    return mistake === undefined ? [] : [`${hash} ${subject}\n  ${mistake}`]
  })
  for (const mistake of mistakes) console.error(mistake)
  if (mistakes.length > 0)
    console.error('Remedy: git rebase -i and reword; of commits that others have, move `since` in scripts/commits.ts.')
  process.exitCode = mistakes.length === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
