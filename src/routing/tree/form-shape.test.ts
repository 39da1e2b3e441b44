// Disjoint shapes, tested with all short paths: shapes that count as disjoint are not compared again.
import { expect, it } from 'vitest'
import { compilePathPattern, listForms } from '../../path/index.ts'
import { areDisjoint, buildShape, type FormShape } from './form-shape.ts'

const buildLists = <T>(of: readonly T[], most: number): T[][] =>
  most === 0
    ? [[]]
    : [
        ...buildLists(of, most - 1),
        ...buildLists(of, most - 1).flatMap((list) =>
          list.length === most - 1 ? of.map((one) => [...list, one]) : [],
        ),
      ]

/** Returns whether segments match a pattern, whose `*` matches any number of them. */
function fits(path: readonly string[], [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return path.length === 0
  if (first === '*')
    return path
      .map((_, i) => i)
      .concat(path.length)
      .some((i) => fits(path.slice(i), rest))
  const [segment, ...more] = path
  return segment !== undefined && (first === ':' || first === segment) && fits(more, rest)
}

const PATHS = buildLists(['a', 'b', 'c'], 4).filter(({ length }) => length > 0)
const PATTERNS = buildLists(['a', 'b', ':', '*'], 3).filter(
  (list) => list.length > 0 && list.filter((one) => one === '*').length < 2,
)

function shape(segments: readonly string[]): FormShape {
  const source = segments.map((one, i) => `/${one === ':' ? `:n${i}` : one}`).join('')
  return buildShape(listForms(compilePathPattern(source).root)?.[0] as never)
}

it('two shapes are disjoint where no path has both, and without wildcards only there', () => {
  const all = PATTERNS.map((segments) => ({
    segments,
    shape: shape(segments),
    paths: new Set(PATHS.filter((path) => fits(path, segments)).map(String)),
  }))
  const found = new Set<boolean>()
  for (const one of all)
    for (const other of all) {
      const shared = [...one.paths].some((path) => other.paths.has(path))
      const isDisjoint = areDisjoint(one.shape, other.shape)
      found.add(isDisjoint)
      const place = `${one.segments} and ${other.segments}`
      if (shared) expect(isDisjoint, place).toBe(false)
      else if (![...one.segments, ...other.segments].includes('*')) expect(isDisjoint, place).toBe(true)
    }
  expect(found).toEqual(new Set([true, false]))
})

it('a static segment before a wildcard distinguishes shapes', () => {
  expect(areDisjoint(shape(['a', '*']), shape(['b', '*']))).toBe(true)
  expect(areDisjoint(shape(['a', 'b', '*']), shape(['a', 'c']))).toBe(true)
  expect(areDisjoint(shape(['*', 'a']), shape(['*', 'b']))).toBe(false)
})
