// Values for filters of each attribute: those that columns hold, beside them, and far beyond.
import fc from 'fast-check'
import type { AttributeName } from './tables.ts'

const POWERS = [7, 8, 15, 16, 23, 24, 31, 32, 53, 63, 64, 100, 200].map((bits) => 2n ** BigInt(bits))
const big = fc.oneof(
  fc
    .tuple(fc.constantFrom(...POWERS), fc.constantFrom(-1n, 0n, 1n), fc.constantFrom(1n, -1n))
    .map(([power, beside, sign]) => (power + beside) * sign),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }),
)
const whole = big.filter((value) => Number.isSafeInteger(Number(value))).map(String)

const number = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.float({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.constantFrom('0.1', '0.10000000149011612', '1e39', '-1e39', '3.4028235e38', '3.4028236e38', '1e-46', '-1e-46'),
  fc.constantFrom(
    '1.7976931348623157e308',
    '5e-324',
    '16777217',
    '0.30000000000000004',
    '-0',
    '1e22',
    '9007199254740993',
  ),
  whole,
)

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 })
const decimal = fc.oneof(
  fc.tuple(fc.constantFrom('', '-'), digits, digits).map(([sign, one, other]) => `${sign}${BigInt(one)}.${other}`),
  fc.constantFrom('0', '-0', '0.00', '1.25', '1.250', '1.2500000001', '9999.99', '9999.991', '10000', '-9999.995'),
  fc.constantFrom(`1${'0'.repeat(90)}`, `-${'9'.repeat(66)}`, `0.${'0'.repeat(90)}1`, '0.01', '0.005', '0.004999999'),
  whole,
)

const LETTERS = [
  'a',
  'A',
  'b',
  'z',
  ' ',
  '?',
  'é',
  'e\u0301',
  'ÿ',
  'Ł',
  '€',
  '¤',
  'ß',
  'ss',
  '日',
  '本',
  'я',
  'ا',
  '\u0000',
  '\u0001',
]
const FAR = [
  '😀',
  '\u{10ffff}',
  '\uffff',
  '\ufffd',
  '\ufeff',
  '%',
  '_',
  '!',
  '*',
  '[',
  '\\',
  "'",
  '\u007f',
  '\u0080',
  '\u00a0',
]
const letter = fc.oneof(
  fc.constantFrom(...LETTERS),
  fc.constantFrom(...FAR),
  fc.string({ unit: 'binary', maxLength: 2 }),
)
const string = fc.oneof(
  fc.array(letter, { maxLength: 5 }).map((all) => all.join('')),
  fc.constantFrom('x'.repeat(900), 'a ', ' a', 'NaN', 'Infinity', '12', '1e3', 'infinity', '0000-00-00', "X'b00"),
)

const pad = (value: number, length: number): string => String(value).padStart(length, '0')
const date = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
    .map(([year, month, day]) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`),
  fc.constantFrom('0000-01-01', '0001-01-01', '0999-12-31', '1000-01-01', '1582-10-10', '9999-12-31', '2024-02-30'),
)
const time = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 0, max: 24 }),
      fc.integer({ min: 0, max: 60 }),
      fc.nat(60),
      fc.constantFrom('', '.5', '.1234567'),
    )
    .map(([hour, minute, second, rest]) => `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}${rest}`),
  fc.constantFrom('00:00:00', '23:59:59', '23:59:59.999999', '23:59:59.9999999', '12:34', '24:00:00'),
)
const zone = fc.constantFrom('Z', '+00:00', '+05:45', '-23:59', '+23:59')
const dateTime = fc.oneof(
  fc.tuple(date, time, zone).map((parts) => `${parts[0]}T${parts[1]}${parts[2]}`),
  fc.constantFrom('1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', '1969-12-31T23:59:59.999Z', '2038-01-19T03:14:07Z'),
  fc.constantFrom('2038-01-19T03:14:08Z', '2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '0000-01-01T00:00:00+23:59'),
)

/** The texts of values, by the attribute that reads them; `known` are texts of stored values. */
export function filterValues(attribute: AttributeName, known: readonly string[]): fc.Arbitrary<string> {
  const any: Readonly<Record<AttributeName, fc.Arbitrary<string>>> = {
    ...{ string, number, decimal, date, time, dateTime, integer: whole, bigint: big.map(String) },
    boolean: fc.constantFrom('true', 'false', '1'),
  }
  return known.length === 0
    ? any[attribute]
    : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known) }, { weight: 5, arbitrary: any[attribute] })
}

/** Writes a value in a filter. */
export const written = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
