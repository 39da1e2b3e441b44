// Finding a route among 200 and reading its captures.
import findMyWay from 'find-my-way'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { Memoirist } from 'memoirist'
import { compilePathPattern } from '../../src/path/index.ts'
import { createRouter, readRouteCapture } from '../../src/routing/router/router.ts'
import { inTurn, type Subject, subject } from './subject.ts'

interface Case {
  readonly title: string
  readonly paths: readonly string[]
  /** How many captures the route has; -1 when there is none. */
  readonly captures: number
}

const ROUTES = Array.from({ length: 40 }, (_, i) => [
  `/api/things${i}`,
  `/api/things${i}/:id`,
  `/api/things${i}/:id/parts`,
  `/api/things${i}/:id/parts/:part`,
  `/api/things${i}/:id/owner/:owner`,
]).flat()

const many = (path: (i: number) => string): string[] =>
  Array.from({ length: 256 }, (_, i) => Buffer.from(path(i)).toString())

const CASES: readonly Case[] = [
  { title: 'without captures', paths: many((i) => `/api/things${i % 40}`), captures: 0 },
  { title: 'two captures', paths: many((i) => `/api/things${i % 40}/${100 + i}/parts/${500 + i}`), captures: 2 },
  { title: 'no such route', paths: many((i) => `/api/things${i % 40}/${100 + i}/none/${500 + i}`), captures: -1 },
]

/** All ways to find a route: each gives the length of its captures, or -1. */
export function routerSubjects(): Subject[] {
  const finders = { edict: edict(), 'find-my-way': wayFinder(), memoirist: memoirist(), Hono: hono() }
  return CASES.map(({ title, paths, captures }) => {
    const ways = Object.entries(finders).map(([name, find]) => [name, inTurn(paths, find)] as const)
    return subject(`Router, 200 routes: ${title}`, Object.fromEntries(ways), captures < 0 ? -1 : captures * 3)
  })
}

type Find = (path: string) => number

function edict(): Find {
  const router = createRouter(ROUTES.map((path, value) => ({ verb: 'GET', pattern: compilePathPattern(path), value })))
  return (path) => {
    const found = router.find('GET', path)
    if (found === null) return -1
    let length = 0
    for (let i = 0; i < found.pattern.names.length; i++) length += readRouteCapture(found, i)?.length ?? 0
    return length
  }
}

// Each name is read as a handler would read it.
const lengths = ({ id, part }: Readonly<Record<string, string | undefined>>): number =>
  (id === undefined ? 0 : id.length) + (part === undefined ? 0 : part.length)

function wayFinder(): Find {
  const router = findMyWay()
  for (const path of ROUTES) router.on('GET', path, () => {})
  return (path) => {
    const found = router.find('GET', path)
    return found === null ? -1 : lengths(found.params)
  }
}

function memoirist(): Find {
  const router = new Memoirist<number>()
  for (const [i, path] of ROUTES.entries()) router.add('GET', path, i)
  return (path) => {
    const found = router.find('GET', path)
    return found === null ? -1 : lengths(found.params)
  }
}

function hono(): Find {
  const router = new SmartRouter<number>({ routers: [new RegExpRouter(), new TrieRouter()] })
  for (const [i, path] of ROUTES.entries()) router.add('GET', path, i)
  return (path) => {
    const [handlers, stash] = router.match('GET', path)
    const first = handlers[0]
    if (first === undefined) return -1
    let length = 0
    for (const place of Object.values(first[1]))
      length += (stash === undefined ? String(place) : (stash[place as number] as string)).length
    return length
  }
}
