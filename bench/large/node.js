// The large shapes by hand: every input is checked, every answer projected.
import {
  isObject,
  isText,
  NO_BOOLEAN,
  NO_TEXT,
  POSITIVE,
  readInteger,
  readPairs,
  refuse,
  send,
  TO_100,
  wrong,
} from '../by-hand.js'
import { books, countRows, projectBook, received } from './data.js'

const SKU = /^[A-Z]{3}-\d{4}$/
const REFERENCE = /^INV-\d{4}-\d{6}$/
const CARD = /^\d{16}$/
const EXPIRES = /^\d{4}-\d{2}$/
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/
const STARS = { min: 1, max: 5 }
const NO_OBJECT = 'must be an object'
const NO_LIST = 'must be a list'
const NO_ID = 'must be a whole number of at least 1'
const NO_AMOUNT = 'must be a number of at least 0'

const json = (res, value) => send(res, 200, 'application/json', JSON.stringify(value))
const isWhole = (value, min, max) => Number.isSafeInteger(value) && value >= min && value <= max
const isAmount = (value, max = Infinity) => typeof value === 'number' && value >= 0 && value <= max
const isName = (value) => isText(value, 100) && value.length > 0

/** Answers a GET of one of the shapes, and tells whether it is one. */
export function getLarge(res, url) {
  if (url === '/books') json(res, books.map(projectBook))
  else if (url === '/products' || url.startsWith('/products?')) products(res, url.slice(10))
  else return false
  return true
}

function products(res, query) {
  const errors = []
  const found = {
    q: undefined,
    category: undefined,
    brands: undefined,
    min_price: undefined,
    max_price: undefined,
    currency: undefined,
    in_stock: undefined,
    on_sale: undefined,
    min_rating: undefined,
    sort: undefined,
    page: 1,
    per_page: 50,
  }
  readPairs(query, (name, value) => {
    switch (name) {
      case 'q':
        if (value.length > 100) errors.push(wrong('/q', 'must be a text of at most 100 signs'))
        found.q = value
        break
      case 'category':
        if (value.length > 50) errors.push(wrong('/category', 'must be a text of at most 50 signs'))
        found.category = value
        break
      case 'brands':
        if (found.brands === undefined) found.brands = [value]
        else found.brands.push(value)
        break
      case 'min_price':
        found.min_price = readAmount(value, name, errors)
        break
      case 'max_price':
        found.max_price = readAmount(value, name, errors)
        break
      case 'currency':
        if (value !== 'EUR' && value !== 'GBP' && value !== 'USD')
          errors.push(wrong('/currency', 'must be EUR, GBP or USD'))
        found.currency = value
        break
      case 'in_stock':
        found.in_stock = readFlag(value, name, errors)
        break
      case 'on_sale':
        found.on_sale = readFlag(value, name, errors)
        break
      case 'min_rating':
        found.min_rating = readInteger(value, name, errors, STARS)
        break
      case 'sort':
        if (value !== 'price' && value !== 'rating' && value !== 'title')
          errors.push(wrong('/sort', 'must be price, rating or title'))
        found.sort = value
        break
      case 'page':
        found.page = readInteger(value, name, errors, POSITIVE)
        break
      case 'per_page':
        found.per_page = readInteger(value, name, errors, TO_100)
        break
      default:
        errors.push(wrong(`/${name}`, 'is unknown'))
    }
  })
  if (errors.length > 0) return refuse(res, errors)
  json(res, found)
}

function readAmount(text, name, errors) {
  const value = text === '' ? NaN : Number(text)
  if (!isAmount(value, Number.MAX_VALUE)) errors.push(wrong(`/${name}`, NO_AMOUNT))
  return value
}

function readFlag(text, name, errors) {
  if (text !== 'true' && text !== 'false') errors.push(wrong(`/${name}`, NO_BOOLEAN))
  return text === 'true'
}

/** The functions of bodies, by their paths. */
export const postLarge = new Map([
  ['/companies', takeCompany],
  ['/forms', takeForm],
  ['/rows', takeRows],
  ['/payments', takePayment],
])

function takeCompany(res, body) {
  const errors = []
  if (!isObject(body)) return refuse(res, [wrong('', 'is not an object in JSON')])
  const { name, founded, units } = body
  if (!isName(name)) errors.push(wrong('/name', NO_TEXT))
  if (!isWhole(founded, 0, 3000)) errors.push(wrong('/founded', 'must be a whole number from 0 to 3000'))
  if (!Array.isArray(units) || units.length > 20) errors.push(wrong('/units', 'must be at most 20 units'))
  const company = { name, founded, units: errors.length > 0 ? [] : units.map((unit, u) => unitOf(unit, u, errors)) }
  if (errors.length > 0) return refuse(res, errors)
  json(res, company)
}

function unitOf(unit, u, errors) {
  if (!isObject(unit)) return void errors.push(wrong(`/units/${u}`, NO_OBJECT))
  const { name, budget, teams } = unit
  if (!isName(name)) errors.push(wrong(`/units/${u}/name`, NO_TEXT))
  if (!isAmount(budget)) errors.push(wrong(`/units/${u}/budget`, NO_AMOUNT))
  if (!Array.isArray(teams)) return void errors.push(wrong(`/units/${u}/teams`, NO_LIST))
  return { name, budget, teams: teams.map((team, t) => teamOf(team, [u, t], errors)) }
}

const atTeam = ([u, t]) => `/units/${u}/teams/${t}`

function teamOf(team, place, errors) {
  if (!isObject(team)) return void errors.push(wrong(atTeam(place), NO_OBJECT))
  const { name, remote, lead, members } = team
  if (!isName(name)) errors.push(wrong(`${atTeam(place)}/name`, NO_TEXT))
  if (typeof remote !== 'boolean') errors.push(wrong(`${atTeam(place)}/remote`, NO_BOOLEAN))
  if (!Array.isArray(members)) return void errors.push(wrong(`${atTeam(place)}/members`, NO_LIST))
  return {
    name,
    remote,
    lead: leadOf(lead, place, errors),
    members: members.map((member, m) => memberOf(member, { place, m }, errors)),
  }
}

function leadOf(lead, place, errors) {
  if (!isObject(lead)) return void errors.push(wrong(`${atTeam(place)}/lead`, NO_OBJECT))
  const { id, name, contact } = lead
  if (!isWhole(id, 1, Infinity)) errors.push(wrong(`${atTeam(place)}/lead/id`, NO_ID))
  if (!isName(name)) errors.push(wrong(`${atTeam(place)}/lead/name`, NO_TEXT))
  if (!isObject(contact)) return void errors.push(wrong(`${atTeam(place)}/lead/contact`, NO_OBJECT))
  const { email, phone, address } = contact
  if (!isText(email, 100)) errors.push(wrong(`${atTeam(place)}/lead/contact/email`, NO_TEXT))
  if (phone !== undefined && !isText(phone, 30)) errors.push(wrong(`${atTeam(place)}/lead/contact/phone`, NO_TEXT))
  return { id, name, contact: { email, phone, address: addressOf(address, place, errors) } }
}

function addressOf(address, place, errors) {
  if (!isObject(address)) return void errors.push(wrong(`${atTeam(place)}/lead/contact/address`, NO_OBJECT))
  const { street, city, zip, country } = address
  if (!isText(street, 100)) errors.push(wrong(`${atTeam(place)}/lead/contact/address/street`, NO_TEXT))
  if (!isText(city, 100)) errors.push(wrong(`${atTeam(place)}/lead/contact/address/city`, NO_TEXT))
  if (zip !== undefined && !isText(zip, 12)) errors.push(wrong(`${atTeam(place)}/lead/contact/address/zip`, NO_TEXT))
  if (!isText(country, 2)) errors.push(wrong(`${atTeam(place)}/lead/contact/address/country`, NO_TEXT))
  return { street, city, zip, country }
}

function memberOf(member, { place, m }, errors) {
  if (!isObject(member)) return void errors.push(wrong(`${atTeam(place)}/members/${m}`, NO_OBJECT))
  const { id, name, role, active, skills } = member
  if (!isWhole(id, 1, Infinity)) errors.push(wrong(`${atTeam(place)}/members/${m}/id`, NO_ID))
  if (!isName(name)) errors.push(wrong(`${atTeam(place)}/members/${m}/name`, NO_TEXT))
  if (role !== 'engineer' && role !== 'designer' && role !== 'analyst' && role !== 'manager')
    errors.push(wrong(`${atTeam(place)}/members/${m}/role`, 'must be engineer, designer, analyst or manager'))
  if (typeof active !== 'boolean') errors.push(wrong(`${atTeam(place)}/members/${m}/active`, NO_BOOLEAN))
  if (!areTexts(skills, 10, 30))
    errors.push(wrong(`${atTeam(place)}/members/${m}/skills`, 'must be at most 10 texts of at most 30 signs'))
  return { id, name, role, active, skills }
}

function areTexts(list, most, signs) {
  if (!Array.isArray(list) || list.length > most) return false
  for (const one of list) if (!isText(one, signs)) return false
  return true
}

/** The fields of the form: texts with their most signs, then whole numbers and amounts with their greatest. */
const TEXTS = {
  ...{ title: 10, first_name: 100, middle_name: 100, last_name: 100, email: 100, phone: 30, street: 100, house: 10 },
  ...{ city: 100, zip: 12, region: 100, country: 2, nationality: 2, language: 5, occupation: 100, employer: 100 },
  ...{ iban: 34, bank: 100, tax_number: 20, comment: 500 },
}
const WHOLE = {
  age: 150,
  children: 30,
  dependants: 30,
  years_employed: 100,
  rooms: 100,
  floor: 200,
  cars: 50,
  pets: 50,
}
const AMOUNTS = { income: Infinity, rent: Infinity, savings: Infinity, debts: Infinity, rating: 5, height: 3 }
const FLAGS = ['married', 'owner', 'smoker', 'newsletter', 'terms']
const MAY_BE_ABSENT = new Set(['title', 'middle_name', 'phone', 'region', 'occupation', 'employer', 'bank', 'comment'])
const FORM = new Set([...Object.keys(TEXTS), ...Object.keys(WHOLE), ...Object.keys(AMOUNTS), ...FLAGS, 'plan'])

/** One check for each field, written out where the process starts: loops over tables cost more. */
const checkForm = new Function(
  'body',
  'fail',
  [
    ...Object.entries(TEXTS).map(([name, max]) => {
      const wrong = `typeof body.${name} !== 'string' || body.${name}.length > ${max}`
      const short = name.endsWith('_name') && !MAY_BE_ABSENT.has(name) ? ` || body.${name}.length === 0` : ''
      const test = MAY_BE_ABSENT.has(name) ? `body.${name} !== undefined && (${wrong})` : `${wrong}${short}`
      return `if (${test}) fail('/${name}', 'must be a text of at most ${max} signs')`
    }),
    ...Object.entries(WHOLE).map(
      ([name, max]) =>
        `if (!Number.isSafeInteger(body.${name}) || body.${name} < 0 || body.${name} > ${max}) fail('/${name}', 'must be a whole number from 0 to ${max}')`,
    ),
    ...Object.entries(AMOUNTS).map(
      ([name, max]) =>
        `if (typeof body.${name} !== 'number' || body.${name} < 0 || body.${name} > ${max}) fail('/${name}', 'must be a number from 0 to ${max}')`,
    ),
    ...FLAGS.map((name) => `if (typeof body.${name} !== 'boolean') fail('/${name}', '${NO_BOOLEAN}')`),
    `if (body.plan !== 'basic' && body.plan !== 'premium') fail('/plan', 'must be basic or premium')`,
  ].join('\n'),
)

function takeForm(res, body) {
  const errors = []
  if (!isObject(body)) return refuse(res, [wrong('', 'is not an object in JSON')])
  for (const name in body) if (!FORM.has(name)) errors.push(wrong(`/${name}`, 'is unknown'))
  checkForm(body, (pointer, message) => errors.push(wrong(pointer, message)))
  if (errors.length > 0) return refuse(res, errors)
  json(res, received)
}

function takeRows(res, body) {
  const errors = []
  if (!isObject(body) || !Array.isArray(body.rows) || body.rows.length > 1000)
    return refuse(res, [wrong('/rows', 'must be at most 1000 rows')])
  for (const [i, row] of body.rows.entries()) checkRow(row, i, errors)
  if (errors.length > 0) return refuse(res, errors)
  const { accepted, total } = countRows(body.rows)
  json(res, { accepted, total })
}

function checkRow(row, i, errors) {
  if (!isObject(row)) return void errors.push(wrong(`/rows/${i}`, NO_OBJECT))
  const { sku, quantity, price, note } = row
  if (typeof sku !== 'string' || !SKU.test(sku)) errors.push(wrong(`/rows/${i}/sku`, 'does not fit its pattern'))
  if (!isWhole(quantity, 1, 999)) errors.push(wrong(`/rows/${i}/quantity`, 'must be a whole number from 1 to 999'))
  if (!isAmount(price)) errors.push(wrong(`/rows/${i}/price`, NO_AMOUNT))
  if (note !== undefined && !isText(note, 200))
    errors.push(wrong(`/rows/${i}/note`, 'must be a text of at most 200 signs'))
}

function takePayment(res, body) {
  const errors = []
  if (!isObject(body)) return refuse(res, [wrong('', 'is not an object in JSON')])
  const { reference, amount, currency } = body
  if (!isText(reference) || !REFERENCE.test(reference)) errors.push(wrong('/reference', 'does not fit its pattern'))
  if (!isAmount(amount)) errors.push(wrong('/amount', NO_AMOUNT))
  if (currency !== 'EUR' && currency !== 'GBP' && currency !== 'USD')
    errors.push(wrong('/currency', 'must be EUR, GBP or USD'))
  const method = methodOf(body.method, errors)
  const parts = partsOf(body.parts, errors)
  if (errors.length > 0) return refuse(res, errors)
  json(res, { id: 1, reference, amount, currency, method, parts })
}

function methodOf(method, errors) {
  if (!isObject(method)) return void errors.push(wrong('/method', NO_OBJECT))
  if (method.kind === 'card') {
    const { number, expires, holder } = method
    if (!isText(number) || !CARD.test(number)) errors.push(wrong('/method/number', 'does not fit its pattern'))
    if (!isText(expires) || !EXPIRES.test(expires)) errors.push(wrong('/method/expires', 'does not fit its pattern'))
    if (!isText(holder, 100)) errors.push(wrong('/method/holder', NO_TEXT))
    return { kind: 'card', number, expires, holder }
  }
  if (method.kind === 'transfer') {
    const { iban, bic, holder } = method
    if (!isText(iban) || !IBAN.test(iban)) errors.push(wrong('/method/iban', 'does not fit its pattern'))
    if (bic !== undefined && !isText(bic, 11)) errors.push(wrong('/method/bic', NO_TEXT))
    if (!isText(holder, 100)) errors.push(wrong('/method/holder', NO_TEXT))
    return { kind: 'transfer', iban, bic, holder }
  }
  if (method.kind === 'wallet') {
    const { provider, token } = method
    if (provider !== 'blue' && provider !== 'green') errors.push(wrong('/method/provider', 'must be blue or green'))
    if (!isText(token, 200)) errors.push(wrong('/method/token', NO_TEXT))
    return { kind: 'wallet', provider, token }
  }
  errors.push(wrong('/method/kind', 'must be card, transfer or wallet'))
}

function partsOf(parts, errors) {
  if (!Array.isArray(parts) || parts.length > 50) return void errors.push(wrong('/parts', 'must be at most 50 parts'))
  return parts.map((part, i) => {
    if (!isObject(part)) return void errors.push(wrong(`/parts/${i}`, NO_OBJECT))
    const { kind, account } = part
    if (!isText(account, 30)) errors.push(wrong(`/parts/${i}/account`, NO_TEXT))
    if (kind === 'share') {
      if (!isAmount(part.percent, 100)) errors.push(wrong(`/parts/${i}/percent`, 'must be a number from 0 to 100'))
      return { kind, account, percent: part.percent }
    }
    if (kind !== 'fixed') errors.push(wrong(`/parts/${i}/kind`, 'must be share or fixed'))
    if (!isAmount(part.amount)) errors.push(wrong(`/parts/${i}/amount`, NO_AMOUNT))
    return { kind, account, amount: part.amount }
  })
}
