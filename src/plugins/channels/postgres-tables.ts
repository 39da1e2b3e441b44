// The tables and functions of the PostgreSQL carrier.

/** Old events that one append removes, beside twice as many as it adds. */
const REMOVED_AT_ONCE = 100

/** The names of the tables and functions. */
interface ChannelTables {
  readonly channels: string
  readonly events: string
  readonly keys: string
  readonly open: string
  readonly append: string
}

/** Returns the names of the tables and functions below a prefix. */
const nameTables = (prefix: string): ChannelTables => ({
  channels: `${prefix}channels`,
  events: `${prefix}events`,
  keys: `${prefix}event_keys`,
  // A later version with other functions has other names for them: both run while processes are replaced.
  open: `${prefix}open_channel_1`,
  append: `${prefix}append_events_1`,
})

/** Returns the SQL that creates the tables and functions of a carrier, for a migration. */
export function postgresChannelTables(prefix = 'edict_'): string {
  const tables = nameTables(prefix)
  return [...createTables(tables), createOpenFunction(tables), createAppendFunction(tables)].join(';\n')
}

const toIndexName = (table: string): string => `${table.replace('.', '_')}_ends`.slice(-60)

const createTables = ({ channels, events, keys }: ChannelTables): readonly string[] => [
  `create table if not exists ${channels} (name text primary key, generation bigint not null, number bigint not null,
dropped bigint not null, line text not null, ends timestamptz not null)`,
  `create index if not exists ${toIndexName(channels)} on ${channels} (ends)`,
  `create table if not exists ${events} (channel text not null, generation bigint not null, number bigint not null,
at timestamptz not null, text text not null, primary key (channel, generation, number))`,
  `create table if not exists ${keys} (channel text not null, key text not null, ends timestamptz not null,
primary key (channel, key))`,
  `create index if not exists ${toIndexName(keys)} on ${keys} (ends)`,
]

// Takes the lock of the channel, and begins another generation on another line: the end of the line before may be lost.
const createOpenFunction = ({ channels, open }: ChannelTables): string => `create or replace function ${open}(
the_channel text, the_line text) returns ${channels} language plpgsql as $open$
declare
  opened ${channels};
begin
  select * into opened from ${channels} where name = the_channel for update;
  if found and opened.line = the_line then
    return opened;
  end if;
  insert into ${channels} as c (name, generation, number, dropped, line, ends)
  values (the_channel, floor(extract(epoch from clock_timestamp()) * 1000), 0, 0, the_line, clock_timestamp())
  on conflict (name) do update set line = excluded.line,
    generation = case when c.line = excluded.line then c.generation else greatest(excluded.generation, c.generation + 1) end
  returning * into opened;
  return opened;
end $open$`

// The lock of the channel is held until the commit: whoever sees an event sees those before it. The commit is written to the
// disk in every case, because a crash without a failover would lose events and keep the line.
const createAppendFunction = ({ channels, events, keys, open, append }: ChannelTables): string => `create or replace
function ${append}(the_channel text, the_texts text[], the_keys text[], the_count float8, the_age float8, the_line text,
the_topic text) returns integer language plpgsql as $append$
declare
  opened ${channels};
  begun timestamptz;
  age interval := the_age * interval '1 millisecond';
  added integer := 0;
  old record;
begin
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  opened := ${open}(the_channel, the_line);
  begun := clock_timestamp();
  for i in 1 .. cardinality(the_texts) loop
    if the_keys[i] is not null then
      insert into ${keys} as k (channel, key, ends) values (the_channel, the_keys[i], begun + interval '1 day')
      on conflict (channel, key) do update set ends = excluded.ends where k.ends <= begun;
      continue when not found;
    end if;
    added := added + 1;
    opened.number := opened.number + 1;
    insert into ${events} (channel, generation, number, at, text)
    values (the_channel, opened.generation, opened.number, begun, the_texts[i]);
  end loop;
  opened.dropped := greatest(opened.dropped, opened.number - the_count);
  for old in select e.generation, e.number, e.at from ${events} e where e.channel = the_channel
  order by e.generation, e.number limit ${REMOVED_AT_ONCE} + 2 * added loop
    exit when old.number > opened.dropped and old.at > begun - age;
    opened.dropped := greatest(opened.dropped, old.number);
    delete from ${events} e where e.channel = the_channel and e.generation = old.generation and e.number = old.number;
  end loop;
  update ${channels} c set number = opened.number, dropped = opened.dropped, ends = begun + age where c.name = the_channel;
  if added > 0 and the_topic is not null then
    perform pg_notify(the_topic, opened.generation || '-' || opened.number || ' ' || the_channel);
  end if;
  return added;
end $append$`

/**
 * Returns the SQL that creates what is missing: processes that start at the same time would create it concurrently, which
 * fails in PostgreSQL even with "if not exists".
 */
export const buildCreateScript = (prefix: string): string => `do $make$ begin
perform pg_advisory_xact_lock(hashtext('edict ${prefix}channels'));
if to_regproc('${nameTables(prefix).append}') is null then
${postgresChannelTables(prefix)};
end if;
end $make$`

// The line on which the server writes: another one after each failover.
const LINE = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

/** Builds the statements of a carrier. The first value of each is the channel. */
export function buildChannelStatements(prefix: string, durable: boolean): ChannelStatements {
  const { channels, events, keys, open, append } = nameTables(prefix)
  const line = durable ? `'durable'` : LINE
  const isBeyond = '($2::bigint, $3::bigint) > (c.generation, c.number)'
  const start = (value: string): string => `(case when ${isBeyond} then 0 else ${value}::bigint end)`
  return {
    append: `select ${append}($1, $2, $3, $4, $5, ${line}, $6)`,
    open: `select generation, number from ${open}($1, ${line})`,
    last: `select generation, number from ${channels} where name = $1 and line = ${line}`,
    read: `select c.generation as last_generation, c.number as last_number, e.generation, e.number, e.text
from ${channels} c left join lateral (select * from ${events} e where e.channel = c.name and e.number > c.dropped
and (e.generation, e.number) > (${start('$2')}, ${start('$3')}) order by e.generation, e.number limit $4) e on true
where c.name = $1 and c.line = ${line} order by e.generation, e.number`,
    purge: [
      `with ended as (select name from ${channels} where ends <= clock_timestamp() and dropped < number
limit 100 for update skip locked), gone as (delete from ${events} where channel in (select name from ended))
update ${channels} set dropped = number where name in (select name from ended)`,
      `delete from ${channels} where ends <= clock_timestamp() - interval '30 days' and dropped = number`,
      `delete from ${keys} where ends <= clock_timestamp()`,
    ],
  }
}

/** The statements of a carrier. */
export interface ChannelStatements {
  /** Values: texts, keys, the count and the age that are kept, the topic. */
  readonly append: string
  /** Returns the last position, and begins a generation if there is none. */
  readonly open: string
  /** Returns the last position; no row if a generation is to begin. */
  readonly last: string
  /** Values: a position as two numbers, and the number of events. No row if a generation is to begin. */
  readonly read: string
  /** Removes what nobody needs any more. */
  readonly purge: readonly string[]
}
