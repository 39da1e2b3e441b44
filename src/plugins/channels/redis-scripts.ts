// The Lua scripts of the Redis carrier, each of which runs as a whole or not at all.

/** The milliseconds for which Redis knows a channel that nobody uses. */
const MONTH = 30 * 86_400_000
/** The milliseconds for which a key is remembered. */
const DAY = 86_400_000
/** Old events that one append removes, beside twice as many as it adds. */
const REMOVED_AT_ONCE = 100

// KEYS: the stream, the hash of the channel. ARGV[1]: '1' if the server loses nothing.
// The id of the replication changes with every restart and every failover, after which the end of the stream may be lost.
const OPEN = `local stream, meta = KEYS[1], KEYS[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function write(number) return string.format('%.0f', number) end
local line = 'durable'
if ARGV[1] ~= '1' then
  line = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
    or string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
end
local known = redis.call('HMGET', meta, 'generation', 'number', 'line')
local generation, number = tonumber(known[1] or 0), tonumber(known[2] or 0)
if known[3] ~= line then
  local tail = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  local before = tail and tonumber(string.match(tail[1], '^%d+')) or 0
  generation, number = math.max(now, generation + 1, before + 1), 0
  redis.call('HSET', meta, 'generation', write(generation), 'number', 0, 'line', line)
end
if redis.call('PTTL', meta) < ${MONTH / 2} then redis.call('PEXPIRE', meta, ${MONTH}) end
local function position(a, b) return write(a) .. '-' .. write(b) end
`

/** Returns the last position. */
export const LAST_SCRIPT: string = `${OPEN}return position(generation, number)`

/** Returns the last position, then ids and texts. ARGV: a position as two numbers, and the number of events. */
export const READ_SCRIPT: string = `${OPEN}local from, after = tonumber(ARGV[2]), tonumber(ARGV[3])
if from > generation or (from == generation and after > number) then from, after = 0, 0 end
local reply = { position(generation, number) }
for _, entry in ipairs(redis.call('XRANGE', stream, '(' .. position(from, after), '+', 'COUNT', ARGV[4])) do
  reply[#reply + 1] = entry[1]
  reply[#reply + 1] = entry[2][4]
end
return reply`

// The first entry is looked at by itself: to look at many would copy their texts.
const TRIM = `local budget = ${REMOVED_AT_ONCE} + 2 * added
local length = redis.call('XLEN', stream)
if length > count then
  local removed = math.min(length - count, budget)
  redis.call('XTRIM', stream, 'MAXLEN', '=', length - removed)
  budget = budget - removed
end
while budget > 0 do
  local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
  if not oldest or tonumber(oldest[2][2]) > now - age then break end
  redis.call('XDEL', stream, oldest[1])
  budget = budget - 1
end
redis.call('PEXPIRE', stream, math.max(1, age))
redis.call('PEXPIRE', meta, math.max(${MONTH}, 2 * age))
`

/**
 * Appends events. Further KEYS: those of the events. ARGV: the count and the age that are kept, then for each event its text
 * and the number of its key in KEYS, or ''.
 */
export const APPEND_SCRIPT: string = `${OPEN}local count, age, added = tonumber(ARGV[2]), tonumber(ARGV[3]), 0
for i = 4, #ARGV, 2 do
  local key = tonumber(ARGV[i + 1])
  if not key or redis.call('SET', KEYS[key], '1', 'NX', 'PX', ${DAY}) then
    added = added + 1
    redis.call('XADD', stream, position(generation, number + added), 't', write(now), 'e', ARGV[i])
  end
end
if added > 0 then
  number = number + added
  redis.call('HSET', meta, 'number', write(number))
  -- Without the right to publish, readers look from time to time.
  redis.pcall('PUBLISH', stream, position(generation, number))
end
${TRIM}return added`
