// The public entry `edict/bundler`: plugins for bundlers, which put a table of calls in place of declarations in front ends.
export { type EsbuildTablesPlugin, type TablesPlugin, tables } from './plugins.ts'
