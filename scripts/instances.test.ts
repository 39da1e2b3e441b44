import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findInstanceViolations } from './instances.ts'

function checkFiles(files: Readonly<Record<string, string>>, list: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'edict-instances-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return findInstanceViolations(root, list).map((one) => one.split(' Remedy')[0] as string)
  } finally {
    rmSync(root, { recursive: true })
  }
}

it('src/ tests for instances of the platform and of the listed classes only', () => {
  expect(findInstanceViolations(process.cwd())).toEqual([])
})

it('finds a class of our own, a parameter that is a class, and an entry that nothing needs', () => {
  const files = {
    'src/a.ts':
      'export const a = (x: unknown) => x instanceof Date || x instanceof Response\n// x instanceof Comment\n',
    'src/b/c.ts': '\nexport const c = (x: unknown, kind: never) => x instanceof\n  kind',
    'src/b/d.ts': 'class Own {}\nexport const d = (x: unknown) => x instanceof Own',
    'src/b/f.ts': 'export const f = (x: object) =>\n  x.constructor === Response ||\n  Own !== x.constructor',
    'src/b/g.ts': 'export const g = (x: object) => Own.prototype.isPrototypeOf(x) || x.constructor === Object',
    'src/b/h.ts': [
      "export const h = (x: any) => x['constructor'] === Response",
      '  || (x.constructor as unknown) === Own',
      "  || x?.constructor.name === 'Own'",
      '  || Object.getPrototypeOf(x) === Own.prototype',
      '  || Object.is(Own, x.constructor)',
      '  || CLASSES.has(x.constructor)',
      'switch (x.constructor) {',
      '  case Own:',
      '}',
      'const { constructor: Kind } = x',
      'const Copy = x.constructor as never',
    ].join('\n'),
    'src/b/e.test.ts': 'export const e = (x: unknown) => x instanceof Response',
  }
  expect(checkFiles(files, { 'src/b/d.ts Own': 'its own', 'src/b/gone.ts Own': 'no more' })).toEqual([
    'src/a.ts:1: asks for an instance of Response.',
    'src/b/c.ts:2: asks for an instance of kind.',
    'src/b/f.ts:2: asks for an instance of Response.',
    'src/b/f.ts:3: asks for an instance of Own.',
    'src/b/g.ts:1: asks for an instance of Own.',
    'src/b/h.ts:1: asks for an instance of Response.',
    'src/b/h.ts:2: asks for an instance of Own.',
    'src/b/h.ts:3: asks for an instance of Own.',
    'src/b/h.ts:4: asks for an instance of Own.',
    'src/b/h.ts:5: asks for an instance of Own.',
    'src/b/h.ts:6: asks for an instance of CLASSES.has.',
    'src/b/h.ts:8: asks for an instance of Own.',
    'src/b/h.ts:10: asks for an instance of constructor.',
    "scripts/instances.ts: nothing needs 'src/b/gone.ts Own'.",
  ])
})
