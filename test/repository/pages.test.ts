// The Markdown of the repository leads somewhere and names what exists: tables, links, anchors, files, scripts, public
// names, entry points, code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { benches } from '../../scripts/bench.ts'
import { campaigns } from '../../scripts/campaign.ts'
import exported from '../../scripts/public-exports.json' with { type: 'json' }
import { formatDifference, type Outcome } from '../../scripts/snippets.ts'
import { Declarations, listEntryPoints, root } from '../../scripts/tables/declarations.ts'
import { scriptNotes } from '../../scripts/tables/scripts.ts'
import { checkTables, fillTables, listMarkdownFiles, remedy, withoutTables } from '../../scripts/tables.ts'
import {
  buildHttpOptions,
  defaultDrain,
  resolveAdmissionLimits,
  resolvePort,
  resolveWorkerCount,
} from '../../src/adapters/node/serve-options.ts'
import { commands } from '../../src/cli/commands.ts'
import { application, endpoint, route, t } from '../../src/index.ts'
import { resolveSettings } from '../../src/plugins/pagination/pagination-settings.ts'
import * as form from '../../src/util/setting-form.ts'

const text = (file: string): string => readFileSync(posix.join(root, file), 'utf8')
const pages = listMarkdownFiles()
const guide = pages.filter((file) => /^(README\.md|docs\/(guide|tutorial)\/)/.test(file))
// A project that `edict new` writes has scripts and files of its own.
const ofRepository = pages.filter((file) => !file.startsWith('templates/'))

/** A page without its code, in which links and headings are text. */
const prose = (page: string): string => page.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '')

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = [...prose(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const plain = (heading as string).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  return new Set(anchors)
}

/** The problems with the links of a page. */
function brokenLinks(file: string, page: string): string[] {
  return [...prose(page).matchAll(/\]\(([^)\s]*)\)/g)].flatMap(([, target]) => {
    if (target === '') return [`${file}: a link has no target`]
    if (/^[a-z]+:/.test(target as string)) return []
    const [path, anchor] = (target as string).split('#') as [string, string?]
    const found = path === '' ? file : posix.join(posix.dirname(file), path)
    if (!existsSync(posix.join(root, found))) return [`${file}: ${target} leads to no file`]
    if (anchor === undefined || !found.endsWith('.md')) return []
    const anchors = anchorsOf(found === file ? page : text(found))
    return anchors.has(anchor) ? [] : [`${file}: ${target} leads to no heading; there are ${[...anchors].join(', ')}`]
  })
}

/** The texts of a page that are written as code within a sentence. */
const inlineCode = (page: string): string[] =>
  [...prose(page).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code]) => code as string)

describe('generated tables', () => {
  let outcome: Outcome

  beforeAll(() => {
    outcome = checkTables()
  }, 120_000)

  it('every option, code and kind has a sentence in its source', () => expect(outcome.problems).toEqual([]))

  it.each(pages)('%s has the tables that the code gives', (file) => {
    const page = outcome.pages.find((one) => one.file === file)
    expect(formatDifference(page?.before ?? '', page?.after ?? ''), `Remedy: ${remedy}`).toBe('')
  })

  it('every npm script has a sentence, and every sentence a script', () => {
    const { scripts } = JSON.parse(text('package.json'))
    expect(Object.keys(scriptNotes).sort()).toEqual(Object.keys(scripts).sort())
  })

  it('fills a block, and refuses unknown names and markers without a counterpart', () => {
    const known = { one: (page: string, argument: string) => `${page} ${argument}` }
    const block = (name: string) => `a\n<!-- table: ${name} -->\nold\n<!-- /table -->\nb\n`
    expect(fillTables('x.md', block('one y'), known).after).toBe(
      'a\n<!-- table: one y -->\nx.md y\n<!-- /table -->\nb\n',
    )
    expect(fillTables('x.md', block('two'), known).problems).toHaveLength(1)
    expect(fillTables('x.md', '<!-- table: one -->\nold\n', known).problems).toHaveLength(1)
    expect(fillTables('x.md', 'old\n<!-- /table -->\n', known).problems).toHaveLength(1)
  })
})

describe('links', () => {
  it.each(pages)('%s links to files and headings that exist', (file) => {
    expect(brokenLinks(file, text(file))).toEqual([])
  })

  it('finds links that lead nowhere', () => {
    const page = '# A `b` – c!\n\n[x](#a-b--c) [y](#nothing) [z](missing.md) [u]()\n\n```md\n[w](missing.md)\n```\n'
    expect(brokenLinks('README.md', page)).toHaveLength(3)
  })

  it('every page of the guide is in its index', () => {
    const names = readdirSync(posix.join(root, 'docs/guide')).filter((name) => name !== 'README.md')
    expect(names.filter((name) => !text('docs/guide/README.md').includes(`](${name})`))).toEqual([])
  })

  it('every note is in the index', () => {
    const names = readdirSync(posix.join(root, 'docs/notes'))
    expect(names.filter((name) => !text('docs/README.md').includes(`](notes/${name})`))).toEqual([])
  })
})

describe('names of files and scripts', () => {
  const folders = ['src', 'test', 'scripts', 'docs', 'examples', 'bench', 'templates']
  // Output of builds and tests is not there before them, and projects of users have files of their own.
  const made = /^(dist|coverage|\.cache)\/|^node_modules\/|^docs\/site\/dist(\/|$)/
  const files = folders.flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules') && !made.test(`${folder}/${name}`))
      .map((name) => `${folder}/${name}`),
  )
  const names = new Set([...files, ...files.map((file) => posix.basename(file)), ...readdirSync(root)])
  const ofUsers: readonly string[] = ['app.ts', 'src/app.ts', 'server.ts']

  function isThere(path: string): boolean {
    const bare = path.replace(/\/$/, '')
    if (made.test(path) || ofUsers.includes(path)) return true
    if (!bare.includes('*'))
      return names.has(bare) || names.has(`src/${bare}`) || files.some((one) => one.endsWith(`/${bare}`))
    const pattern = new RegExp(
      `(^|/)${bare.replaceAll('.', '\\.').replaceAll('**/', '(.*/)?').replaceAll('*', '[^/]*')}$`,
    )
    return files.some((one) => pattern.test(one))
  }

  const checked = ofRepository.filter((file) => /^(ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/notes\//.test(file))

  it.each(checked)('%s names files that exist', (file) => {
    // Code that begins with a slash is the path of a request.
    const isPath = (code: string): boolean =>
      /^[A-Za-z.*][\w./*-]*\.(ts|js|json|jsonl|md|svg)$/.test(code) ||
      /^(src|test|scripts|docs|examples|bench)\/[\w./*-]*$/.test(code)
    const named = inlineCode(text(file)).filter(isPath)
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  it('ARCHITECTURE.md names every folder', () => {
    const architecture = text('ARCHITECTURE.md')
    const inside = readdirSync(posix.join(root, 'src')).filter(
      (name) => name !== 'adapters' && !/\.(?:test|browser)/.test(name),
    )
    expect(inside.filter((name) => !architecture.includes(`| \`src/${name}`))).toEqual([])
  })

  it.each(ofRepository)('%s names npm scripts that exist', (file) => {
    const { scripts } = JSON.parse(text('package.json'))
    const named = [...text(file).matchAll(/npm run (?:--silent )?([a-z][\w:.-]*\w)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    const programs = [...text(file).matchAll(/npm run (bench|campaign) -- ([a-z]+)/g)]
    const known: Readonly<Record<string, object>> = { bench: benches, campaign: campaigns }
    expect(programs.filter(([, script = '', name = '']) => !(name in (known[script] ?? {})))).toEqual([])
  })
})

describe('pages about the code', () => {
  it('every principle of ARCHITECTURE.md names its guard', () => {
    const [, section = ''] = /## Principles\n([\s\S]*?)\n## /.exec(text('ARCHITECTURE.md')) ?? []
    const rows = [...section.matchAll(/^\| (?!Principle|--)(.*) \| (.*) \|$/gm)]
    expect(rows.length).toBeGreaterThan(8)
    const isGuard = (code: string): boolean => /^npm run |^(test|scripts)\//.test(code)
    expect(
      rows.filter(([, , guard = '']) => !inlineCode(guard).some(isGuard)).map(([, principle]) => principle),
    ).toEqual([])
  })

  it('plugins.md has every member of a plugin', () => {
    const groups = text('src/server/application-options.ts').match(/^interface Plugin\w+ \{[\s\S]*?^\}/gm) ?? []
    const body = groups.join('\n')
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, name = '']) => name)
    expect(members.length).toBeGreaterThan(20)
    const page = text('docs/guide/plugins.md')
    // `bind` is there for the compiler: it tells a plugin from the function that makes it.
    expect(members.filter((name) => name !== 'bind' && !new RegExp(`\`${name}[(\`]`).test(page))).toEqual([])
  })

  it('the changelog names every command and every entry point', () => {
    const changelog = text('CHANGELOG.md')
    const has = (name: string): boolean => new RegExp(`\`(edict )?${name}\``).test(changelog)
    expect(Object.keys(commands).filter((name) => !has(name))).toEqual([])
    const below = /^edict\/mapper\//
    const names = listEntryPoints().map(({ name }) => name)
    expect(names.filter((name) => name !== 'edict' && !below.test(name) && !changelog.includes(name))).toEqual([])
  })
})

describe('public names', () => {
  const own = guide.map((file) => withoutTables(text(file))).join('\n')
  const all = guide.map(text).join('\n')
  const has = (page: string, name: string): boolean => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(page)
  const entries = Object.entries(exported)

  it.each(entries)('the guide shows how every value of %s is used', (_, { values }) => {
    expect(values.filter((name) => !has(own, name))).toEqual([])
  })

  it.each(entries)('the guide lists every type of %s', (_, { types }) => {
    expect(types.filter((name) => !has(all, name))).toEqual([])
  })

  it('what is called edict/… is an entry point', () => {
    const known = new Set(listEntryPoints().map(({ name }) => name))
    const named = pages.flatMap((file) =>
      inlineCode(text(file))
        .flatMap((code) => [...code.matchAll(/(?<![\w./-])edict\/[\w/-]+/g)].map(([name]) => name))
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    )
    expect(named).toEqual([])
  })
})

describe('figures in prose', () => {
  /** The default of an option in the table of a page, without the signs of code; units are multiplied out. */
  function defaultOf(file: string, option: string): string | number {
    const row = text(file)
      .split('\n')
      .find((line) => line.startsWith(`| \`${option}\` |`))
    const cell = (row?.split(' | ')[1] ?? '').replaceAll('`', '')
    const [, figure, unit] = /^([\d,]+)(?: (KiB|MiB))?$/.exec(cell) ?? []
    if (figure === undefined) return cell
    const factors: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 }
    return Number(figure.replaceAll(',', '')) * (factors[unit ?? ''] ?? 1)
  }

  it('serving.md has the defaults of serve', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeaderSize = 0 } = buildHttpOptions({})
    const { requests, pipelined, delay } = resolveAdmissionLimits({})
    const actual = {
      'timeouts.headers': headersTimeout,
      'timeouts.request': requestTimeout,
      'timeouts.keepAlive': keepAliveTimeout,
      'timeouts.drain': defaultDrain,
      // Heads are read up to twice the limit, so that their refusal has headers of plugins.
      maxHeaderSize: maxHeaderSize / 2,
      maxRequests: requests,
      maxPipelined: pipelined,
      maxDelay: delay,
    }
    const said = Object.keys(actual).map((option) => [option, defaultOf('docs/guide/serving.md', option)])
    expect(Object.fromEntries(said)).toEqual(actual)
    expect(defaultOf('docs/guide/serving.md', 'port')).toBe(`PORT of the environment, else ${resolvePort({}, '')}`)
    expect(defaultOf('docs/guide/serving.md', 'workers')).toBe(`${resolveWorkerCount({})}, the current process`)
  })

  it('serving.md has the limits and the status of an application', () => {
    const actions = {
      add: { routing: route.post('/'), payload: { id: t.integer() }, responses: { ok: true } },
    } as const
    const one = endpoint('One', { actions }).implement({ add: () => '' })
    const contract = JSON.stringify(application({ controllers: [one] }).contract())
    const said = (option: string): string | number => defaultOf('docs/guide/serving.md', option)
    expect(contract).toContain(`"queryPairs":${said('limits.queryPairs')}`)
    expect(contract).toContain(`"queryDepth":${said('limits.queryDepth')}`)
    expect(contract).toContain(`"limit":${said('limits.body')}`)
    expect(contract).toContain(`"validationStatus":${said('validation.status')}`)
  })

  it('pagination.md has the defaults of the plugin', () => {
    const { defaultPageSize, pagingDefaultMode, onExceed, disallowPagingByDefault } = resolveSettings([], undefined)
    const said = (option: string): string | number => defaultOf('docs/guide/pagination.md', option)
    expect(said('defaultPageSize')).toBe(defaultPageSize)
    expect(said('onExceed')).toBe(`'${onExceed}'`)
    expect(said('disallowPagingByDefault')).toBe(String(disallowPagingByDefault))
    expect(said('pagingDefaultMode')).toBe(JSON.stringify(pagingDefaultMode).replace('{"page":1}', '{ page: 1 }'))
  })

  it('the comparison counts dependencies and contestants', () => {
    const words = [
      'no',
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'ten',
      'eleven',
      'twelve',
    ]
    const dependencies = Object.keys(JSON.parse(text('package.json')).dependencies).length
    const own = ['edict.js', 'node.js', 'node-bare.js']
    const peers = readdirSync(posix.join(root, 'bench/contestants')).filter((name) => !own.includes(name)).length
    expect(text('docs/comparison.md')).toContain(`| ${dependencies}: one of types only`)
    expect(text('SECURITY.md')).toContain(`installs ${words[dependencies]} packages`)
    expect(text('docs/comparison.md')).toContain(`with ${words[peers]} other frameworks`)
    expect(text('README.md')).toContain(`of ${words[peers]} other frameworks`)
  })
})

describe('tables of members that are written by hand', () => {
  const declarations = new Declarations()
  it.each([
    ['policies', '| Member of a policy |', 'src/design/declare/policy.ts#Policy', []],
    // It only rejects functions that were not called.
    ['plugins', '| Member |', 'src/server/application-options.ts#Plugin', ['bind']],
    // Few kinds need more than what this page is about.
    ['kinds', '| Member |', 'src/schema/kind.ts#Kind', undefined],
    ['translating', '| Value | Meaning |', 'src/server/response/problem-encoder.ts#ProblemContext', []],
  ])(
    'the page %s names members that exist, and forgets none',
    (page, header, location, omitted?: readonly string[]) => {
      const all = text(`docs/guide/${page}.md`)
      const table = all.slice(all.indexOf(header)).split('\n\n')[0] as string
      const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell as string)
      const named = cells.flatMap((cell) =>
        [...cell.matchAll(/`(?:context\.)?([a-z]\w*)(?:\([^`]*\))?`/gi)].map(([, name]) => name),
      )
      const names = declarations.namesOf(location).filter((name) => !name.startsWith('~'))
      expect(names).toEqual(expect.arrayContaining(named))
      if (omitted !== undefined) expect(new Set([...named, ...omitted])).toEqual(new Set(names))
    },
  )

  it('the page on kinds names forms that exist', () => {
    const told = [...text('docs/guide/kinds.md').matchAll(/`form\.(\w+)[^`]*`/g)].map(([, name]) => name)
    expect(told.length).toBeGreaterThan(15)
    expect(Object.keys(form)).toEqual(expect.arrayContaining(told))
  })
})
