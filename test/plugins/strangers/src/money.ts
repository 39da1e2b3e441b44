// Amounts of money: `12.50 EUR` on the wire, cents and a currency in programs. Browsers read and write them too.
import type { Attribute, Options } from 'edict'
import { applyOptions, attribute, form, type Kind } from 'edict/extend'

/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly cents: number
  readonly currency: string
}

/** Options of `money`. */
export interface MoneyOptions extends Options<Money> {
  /** The largest amount, in cents. */
  readonly max?: number
}

const FORM = /^(\d{1,10})\.(\d{2}) ([A-Z]{3})$/

function read(text: unknown): Money | undefined {
  const [, units, cents, currency] = (typeof text === 'string' && FORM.exec(text)) || []
  return currency === undefined ? undefined : { cents: Number(units) * 100 + Number(cents), currency }
}

const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' && value !== null && Number.isSafeInteger((value as Money).cents) && 'currency' in value

const write = ({ cents, currency }: Money): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${currency}`

const WORDS = 'an amount such as 12.50 EUR'
const EXPECTED = { expected: WORDS, kind: 'money' }

const moneyKind: Kind<readonly string[]> = {
  name: 'money',
  expected: WORDS,
  options: { max: form.integerFrom(0) } satisfies form.Fields<Pick<MoneyOptions, 'max'>>,
  loader:
    (currencies, { max = Number.MAX_SAFE_INTEGER }: MoneyOptions) =>
    (value, loading) => {
      const amount = read(value)
      if (amount === undefined) return loading.fail('type', EXPECTED)
      if (!currencies.includes(amount.currency)) return loading.fail('values', { values: currencies })
      return amount.cents > max ? loading.fail('max', { limit: write({ ...amount, cents: max }) }) : amount
    },
  dumper: () => (value, dumping) => (isMoney(value) ? write(value) : dumping.fail('type', EXPECTED)),
  read: (value, _, fail) => read(value) ?? fail(''),
  write: (value, _, fail) => (isMoney(value) ? write(value) : fail('')),
  jsonSchema: (currencies, options) =>
    applyOptions({ type: 'string', pattern: `^[0-9]{1,10}\\.[0-9]{2} (?:${currencies.join('|')})$` }, options),
  example: (currencies, { max = 9999 }: MoneyOptions, seed) => ({
    cents: seed.numberBelow(max + 1),
    currency: currencies[seed.at('currency').numberBelow(currencies.length)] as string,
  }),
}

/** Declares an amount in one of some currencies. */
export const money = (currencies: readonly string[], options?: MoneyOptions): Attribute<Money, false> =>
  attribute<readonly string[], Money, false>(moneyKind, currencies, options)
