// Runs the checks of Conduit against a server, as a client with a memory would.
import { expect } from 'vitest'
import { type Check, checks } from './checks.ts'

/** Runs all checks against an API at a base URL; returns the names of those that fail, with the reason of each. */
export async function runChecks(url: string): Promise<Map<string, string>> {
  const kept: Record<string, unknown> = {}
  const failed = new Map<string, string>()
  for (const check of checks) {
    try {
      await runCheck(url, check, kept)
    } catch (error) {
      failed.set(check.name, (error as Error).message)
    }
  }
  return failed
}

async function runCheck(url: string, check: Check, kept: Record<string, unknown>): Promise<void> {
  const { line, as, body, status, shows, matches, keep = {} } = check
  const [method = '', path = ''] = line.split(' ')
  const authorization = as?.includes(' ') === false ? `Token ${kept[as]}` : as
  const response = await fetch(url + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(kept[name]))), {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  expect(response.status, text).toBe(status)
  if (answer !== undefined) expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
  for (const [name, read] of Object.entries(keep)) kept[name] = read(answer)
  if (shows !== undefined) expect(answer).toMatchObject(shows)
  matches?.(answer, kept)
}
