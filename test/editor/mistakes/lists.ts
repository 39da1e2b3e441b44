// Mistakes in the params of lists, in resources, and in what is asked of them.
import { action, type Mistakes } from './snippets.ts'

const mapped = (attributes: string): string => `export default resource(datastore, Film, {
  table: 'films',
  attributes: { director: false, ${attributes} },
})
`

export const lists: Mistakes = {
  'order by an unknown field': `export default OrderingParams.for(Film, { byFields: [«'ide'|'id'»] })\n`,
  'order by an unknown field below another': `export default OrderingParams.for(Film, { byFields: [«'director.nmae'|'director.name'»] })\n`,
  'default order by an unknown field': `export default OrderingParams.for(Film, { default: [«'-yaer'|'-year'»] })\n`,
  'misspelt setting of an order': `export default OrderingParams.for(Film, { «byField|byFields»: ['id'] })\n`,
  'pages by an unknown field': `export default PaginationParams.for(Film, { byFields: [«'ide'|'id'»] })\n`,
  'default page by an unknown field': `export default PaginationParams.for(Film, { default: { «by»: «'ide'|'id'» } })\n`,
  'key of pages that is unknown': `export default PaginationParams.for(Film, { key: [«'ide'|'id'»] })\n`,
  'misspelt setting of pages': `export default PaginationParams.for(Film, { «maxItem|maxItems»: 10 })\n`,
  'filter of an unknown field': `export default FilteringParams.for(Film, { «titel|title»: {} })\n`,
  'filter of an unknown field below another': `export default FilteringParams.for(Film, { title: {}, «'director.nmae'|'director.name'»: {} })\n`,
  'filter below a plain value': `export default FilteringParams.for(Film, { «'title.length'|title»: {} })\n`,
  'unknown operator of a filter': `export default FilteringParams.for(Film, { title: { operators: [«'=='|'='»] } })\n`,
  'misspelt setting of a filter': `export default FilteringParams.for(Film, { title: { «wildcard|wildcards»: true } })\n`,
  'filters of an endpoint': action(
    'params: { «filters»: FilteringParams.for(«Films|Film») }, responses: { ok: true },',
  ),
  'fields of an endpoint': action('params: { «fields»: FieldSelector.for(«Films|Film») }, responses: { ok: true },'),
  'attribute of a resource that does not exist': mapped("«titel|title»: 'title'"),
  'column that does not exist': {
    text: mapped("title: «'titel'|'title'»"),
    left: 'a datastore reads its tables from the database or from another package, and names them as texts',
  },
  'table that does not exist': {
    text: `export default resource(datastore, Person, { table: «'persons'|'people'» })\n`,
    left: 'a datastore reads its tables from the database or from another package, and names them as texts',
  },
  'misspelt setting of a resource': `export default resource(datastore, Person, { table: 'people', «attribute|attributes»: {} })\n`,
  'key of a resource that does not exist': `export default resource(datastore, Person, { table: 'people', key: [«'ide'|'id'»] })\n`,
  'unknown field in a condition': `export default films.find({ «titel|title»: 'a' })\n`,
  'value of a wrong type in a condition': `export default films.find({ «title: 7|title: 'a'» })\n`,
  'unknown attribute in a change': `export default films.update(1, { «titel|title»: 'a' })\n`,
  'value of a wrong type in a change': `export default films.update(1, { «year: 'a'|year: 1» })\n`,
  'required attribute that is not created': {
    text: `export default films.create(«{ year: 1 }|{ id: 1, title: 'a' }»)\n`,
    left: 'a database may fill what is missing, by defaults and triggers',
  },
  'unknown attribute of a found element': `export default (await films.find(1))?.«titel|title»\n`,
}
