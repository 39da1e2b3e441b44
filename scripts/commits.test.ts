import { expect, it } from 'vitest'
import { findSubjectMistake } from './commits.ts'

it.each<readonly [string, string | undefined]>([
  ['Count mutants of plugins by plugin', undefined],
  ['x'.repeat(72).replace('x', 'X'), undefined],
  ['x'.repeat(73).replace('x', 'X'), 'has 73 characters, not 72 at most'],
  ['Count mutants.', 'ends with a full stop'],
  ['count mutants', 'does not begin with a capital letter'],
  ...['Counts mutants', 'Counted mutants', 'Counting mutants', 'Mutation: count plugins', 'The mutants of plugins'].map(
    (subject) => [subject, 'does not begin with a verb in the imperative'] as const,
  ),
  ['Pass the report on', undefined],
  ['Bring the report along', undefined],
])('judges the subject %s', (subject, mistake) => {
  expect(findSubjectMistake(subject)).toBe(mistake)
})
