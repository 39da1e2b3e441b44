// The answers that may differ from their document, each with the reason. An entry that nothing needs any more fails its file.
import type { BreakKind } from './judge.ts'

/** Tests whose answers differ from their document on purpose. */
export interface Exception {
  /** The test file, from the root of the repository. */
  readonly file: string
  /** A part of the titles, joined by ` > `; every test of the file without it. */
  readonly title?: string
  /** A part of what the guard says of the answers; any of them without it. */
  readonly says?: string
  /** In which ways the answers differ. */
  readonly kinds: readonly BreakKind[]
  readonly reason: string
}

/** Every exception. */
export const exceptions: readonly Exception[] = [
  {
    file: 'test/responses/returned.test.ts',
    title: 'a header that is an attribute is judged as an attribute of a body is',
    kinds: ['schema', 'header'],
    reason: 'The responses lack what they declare, so that headers and bodies can be seen to be judged alike.',
  },
  {
    file: 'test/browsers/cors.test.ts',
    title: 'and for an own OPTIONS',
    kinds: ['status'],
    reason: 'A preflight is answered before the action that is declared for OPTIONS at its path.',
  },
  {
    file: 'test/client/calls.test.ts',
    title: 'refuses what could not be sent, and what should not have come',
    kinds: ['schema'],
    reason: 'The server leaves out a required attribute, so that the client can be seen to refuse the answer.',
  },
  {
    file: 'test/observability/drift.test.ts',
    title: '[OBS-06]',
    kinds: ['schema', 'status'],
    reason: 'Actions and a plugin break what is declared, so that drift can be seen to report it.',
  },
  {
    file: 'test/contract/envelopes.test.ts',
    title: 'drift names the pointer of what does not fit, in an element and in a list',
    kinds: ['schema'],
    reason: 'Actions respond with a title that is too long, so that drift can be seen to report it.',
  },
  {
    file: 'test/plugins/ends.test.ts',
    title: 'that cannot be written',
    kinds: ['status'],
    reason: 'A plugin makes answers with a status that no server can write, so that a failure takes their place.',
  },
  {
    file: 'test/plugins/points.test.ts',
    title: 'where the documents have no path',
    kinds: ['path'],
    reason: 'A plugin answers before routing, with what no action declares.',
  },
  {
    file: 'test/plugins/points.test.ts',
    title: 'a 500 for that request',
    kinds: ['path'],
    reason: 'A plugin fails on a path that no route has; without it, the answer would be a 404.',
  },
  {
    file: 'test/repository/example.test.ts',
    title: 'leads people from the root to its documentation',
    kinds: ['path'],
    reason: 'A plugin answers the root of the server, which is above the base path: no document can have it.',
  },
  {
    file: 'test/repository/snippets.test.ts',
    says: 'The Man Without Qualities',
    kinds: ['schema'],
    reason: 'The page of drift shows answers that break their declaration.',
  },
  {
    file: 'test/responses/production-mode.test.ts',
    title: 'refuses what could not be sent, and what should not have come',
    kinds: ['schema'],
    reason: 'The same in production, where the answer leaves unchecked.',
  },
  {
    file: 'test/responses/production-mode.test.ts',
    title: '[RSP-06] a header that is an attribute is judged as an attribute of a body is',
    kinds: ['schema', 'header'],
    reason: 'Actions leave out what they declared, which leaves unchecked in production.',
  },
  {
    file: 'test/responses/production.test.ts',
    title: 'shows in production nothing undeclared and nothing of another kind, whatever an action returns',
    kinds: ['schema'],
    reason: 'Actions return what breaks limits, most of which leaves unchecked in production.',
  },
  {
    file: 'test/responses/production.test.ts',
    title: 'what lacks a required attribute, is beyond a limit, or has null for a value within is sent as it is',
    kinds: ['schema'],
    reason: 'The test says what leaves in production although it breaks its declaration.',
  },
  {
    file: 'test/responses/rendering.test.ts',
    title: '[RSP-06] in production one body in a hundred is checked',
    kinds: ['schema'],
    reason: 'In production most bodies leave unchecked; the test counts those that break a limit.',
  },
  {
    file: 'test/responses/rendering.test.ts',
    title: '[RSP-06] how much is checked can be set',
    kinds: ['schema'],
    reason: 'The test turns the checks of responses off and sends what breaks a limit.',
  },
  {
    file: 'test/repository/snippets.test.ts',
    title: 'responses.md: texts, structures of errors, limits in production',
    kinds: ['schema'],
    reason: 'The page says that in production a body which only breaks a limit is logged and sent.',
  },
]
