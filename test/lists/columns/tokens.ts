// Forged tokens of links: places of other types, other fields and other lists, and damaged ones.
import fc from 'fast-check'

/** The parts of a token: the mark that ties it to its list, and the JSON of each value of its place. */
export interface Token {
  readonly mark: string
  readonly values: readonly string[]
}

/** The tokens of a list of links. */
export const rawTokens = (link: string): string[] =>
  Array.from(link.matchAll(/(?:after|before)%3D([\w-]+)/g), ([, token]) => token as string)

/** Reads a token. */
export function tokenOf(raw: string): Token {
  const [mark, ...values] = JSON.parse(Buffer.from(raw, 'base64url').toString()) as unknown[]
  return { mark: String(mark), values: values.map((value) => JSON.stringify(value)) }
}

const DEEP = `${'['.repeat(200)}${']'.repeat(200)}`

/** Values that no link of most lists has, as JSON. */
const STRANGE = [
  ...['1e400', '-1e400', '1e308', '5e-324', '-0', '0.5', '9007199254740993', '-9223372036854775809', '2147483648'],
  ...['65536', '256', '-1', '0', '1', '1e21', 'true', 'false', 'null', '[]', '{}', '[1]', '{"__proto__":1}', DEEP],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '""', '" "', '"NaN"', '"-Infinity"', '"true"'],
  ...['"9223372036854775808"', '"18446744073709551616"', `"${'9'.repeat(900)}"`, `"0.${'0'.repeat(900)}1"`],
  ...['"1e999"', '"1e-999"', '"1e-400"', '"0x1f"', '"1."', '".5"', '"+1"', '"-0"', '"٣"', '"1_000"', '"0b1"'],
  ...['"0000-00-00"', '"0000-01-01"', '"2024-02-30"', '"9999-99-99"', '"9999999-01-01"', '"5874898-01-01"'],
  ...['"0044-03-15 BC"', '"4714-01-01 BC"', '"infinity"', '"-infinity"', '"now"', '"epoch"', '"allballs"'],
  ...['"2024-02-29T12:00:00Z"', '"2024-02-29 25:61:61"', '"2024-02-29 12:00:60"', '"2024-02-29 12:00:00.1234567"'],
  ...['"2024-02-29 12:00:00.123456+99"', '"294277-01-01 00:00:00"', '"294277-01-01T00:00:00+00:00"'],
  ...['"0000-00-00 00:00:00"', '"10000-01-01 00:00:00"', '"275760-09-13T00:00:00.001Z"', '"-271821-04-20T00:00:00Z"'],
  ...['"24:00:00"', '"24:00:01"', '"25:00:00"', '"838:59:59"', '"839:00:00"', '"-838:59:59"', '"12:60:60"', '"2:3"'],
  ...['"12:00:00+16:00"', '"12:00:00-15:59:59"', '"999999999999.999999"', '"253402300800"', '"-1.5"'],
  ...[
    '"178000001 years"',
    '"1 fortnight"',
    '"P1Y"',
    '"256.0.0.1"',
    '"::1/129"',
    '"10.0.0.1/33"',
    '"1:2:3:4:5:6:7:8:9"',
  ],
  ...['"00:00:00:00:00:zz"', '"11111"', '"2"', '"(4294967296,0)"', '"(0,65536)"', '"FFFFFFFFF/0"', '"4294967296"'],
  ...['"[5,1)"', '"[1,5"', '"{[1,5)"', '"empty"', `"'a"`, '"a:99999"', '"a & "', '"4294967296 1"', '"sad "', '"SAD"'],
  ...['"ffffffff-ffff-ffff-ffff-fffffffffffg"', '"{00000000-0000-0000-0000-000000000000}"', '"0"', '"abc"', '"AB"'],
  ...[`"X'"`, `"X'i99999999999999999999"`, `"X'i9999999999999999999"`, `"X'bzz"`, `"X'b0"`, `"X'r9e999"`, `"X'q"`],
  ...['"$92,233,720,368,547,758.08"', '"92233720368547758.08"', '"x\\\\"', '"\\\\x00"', '"\\\\xzz"', `"');--"`],
  ...['"é"', '"😀"', '"日本"', '"\\uffff"', '"\\ufeff"', `"${'x'.repeat(1800)}"`, `"${'é'.repeat(900)}"`],
]

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** A text with one change. */
const changed = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(2), fc.constantFrom(...'09-+.:eE /\\\'"%_x{[(,\0é\ud800'))
    .map(([at, cut, sign]) => (cut === 2 ? text.slice(0, at) : `${text.slice(0, at)}${sign}${text.slice(at + cut)}`))

/** A value of a place that was changed a little: it has nearly the form that its column expects. */
function near(value: string): fc.Arbitrary<string> {
  const given: unknown = JSON.parse(value)
  if (typeof given === 'string') return changed(given).map(json)
  if (typeof given !== 'number') return fc.constantFrom(json(String(given)), '0', '1', '"0"')
  return fc.oneof(
    fc.constantFrom(json(String(given)), json(-given), json(given + 0.5), json(given * 2 ** 31), json(given * 1e300)),
    fc.double().map((number) => json(Number.isFinite(number) ? number : String(number))),
    fc.integer().map(json),
  )
}

/** Any value in a place, given the values that links of some lists have. */
const values = (known: readonly string[], others: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...known).chain(near),
    fc.constantFrom(...others),
    fc.constantFrom(...STRANGE),
    fc.constantFrom(...STRANGE).chain((value) => (value.startsWith('"') ? near(value) : fc.constant(value))),
    fc.string({ unit: 'binary', maxLength: 12 }).map(json),
    fc.jsonValue({ maxDepth: 1 }).map(json),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).chain((big) => fc.constantFrom(String(big), json(String(big)))),
    fc
      .date({ noInvalidDate: true })
      .chain((date) => fc.constantFrom(...[date.toISOString(), date.toISOString().replace(/T(.*)Z/, ' $1')].map(json))),
  )

const encoded = (text: string): string => Buffer.from(text).toString('base64url')

/** Tokens that look like those of a list, whose places are known, among those of other lists. */
export function forgedTokens(known: readonly Token[], others: readonly string[]): fc.Arbitrary<string> {
  const [{ mark, values: genuine }] = known as readonly [Token]
  const binding = mark.replace(/^[=#]/, '')
  const columns = genuine.map((_, at) => known.map((token) => token.values[at] as string))
  const place = fc.tuple(
    ...columns.map((own) => fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...own) }, values(own, others))),
  )
  const resized = fc.oneof(
    { weight: 6, arbitrary: place as fc.Arbitrary<string[]> },
    { weight: 1, arbitrary: (place as fc.Arbitrary<string[]>).map((all) => all.slice(1)) },
    { weight: 1, arbitrary: (place as fc.Arbitrary<string[]>).map((all) => [...all, ...all]) },
  )
  const ends = fc
    .tuple(fc.string({ unit: 'binary', size: 'max', maxLength: 140 }), fc.constantFrom(140, 60, 1))
    .map(([text, length]) => json([text.padEnd(length, '7'), text.padStart(length, 'f')]))
  const marks = fc.oneof(
    { weight: 8, arbitrary: fc.constant(`"=${binding}"`) },
    { weight: 2, arbitrary: fc.constant(`"#${binding}"`) },
    { weight: 2, arbitrary: fc.constant(`"${binding}"`) },
    { weight: 1, arbitrary: fc.constantFrom('null', '"="', '"#"', '0', '{}') },
  )
  const rows = fc
    .tuple(
      fc.constantFrom(...columns.flat()),
      fc.array(fc.oneof(ends, fc.constantFrom(...columns.flat())), { minLength: 1, maxLength: 3 }),
    )
    .map(([digest, all]) => encoded(`[${[`"#${binding}"`, json(digest), ...all].join()}]`))
  const forged = fc.tuple(marks, resized).map(([tied, all]) => encoded(`[${[tied, ...all].join()}]`))
  const damaged = fc
    .constantFrom(...known)
    .chain((token) => changed(encoded(`[${[json(token.mark), ...token.values]}]`)))
    // No URL has half a character.
    .map((token) => token.replace(/\p{Surrogate}/gu, '\ufffd'))
  return fc.oneof({ weight: 12, arbitrary: forged }, { weight: 2, arbitrary: rows }, { weight: 1, arbitrary: damaged })
}
