import Quota
import Redis

/// The ledger's decisions in Lua, one script per operation: what `Ledger` does in Swift, on one hash of integers.
///
/// The conformance suite and a randomised comparison hold the two to each other. Lua's numbers are doubles: every value stays below 2^53.
struct QuotaScript: Sendable {
  let reserve: RedisScript
  let join: RedisScript
  let refund: RedisScript
  let exhaust: RedisScript
  let answered: RedisScript
  let status: RedisScript
  let set: RedisScript
  let clearExhaustion: RedisScript

  /// `clock` is a Lua expression of milliseconds since 1970: the server's time.
  init(clock: String = "milliseconds(redis.call('TIME'))") {
    let prelude = Self.prelude.replacing("CLOCK", with: clock)
    reserve = RedisScript(prelude + Self.window + Self.reserveBody)
    join = RedisScript(prelude + Self.joinBody.replacing("MOST", with: "\(Ledger.mostWriters)"))
    refund = RedisScript(prelude + Self.refundBody)
    exhaust = RedisScript(prelude + Self.window + Self.exhaustBody)
    answered = RedisScript(prelude + Self.answeredBody)
    status = RedisScript(prelude + Self.statusBody)
    set = RedisScript(prelude + Self.window + Self.setBody)
    clearExhaustion = RedisScript(prelude + Self.clearBody)
  }

  // Numbers are written with all their digits: tostring() keeps 14.
  private static let prelude = """
    local key, bucket = KEYS[1], ARGV[1]
    local function milliseconds(t) return t[1] * 1000 + math.floor(t[2] / 1000) end
    local host = CLOCK
    local function number(text)
      local n = tonumber(text or 0)
      if not n or not (n >= 0 and n <= 9007199254740992) then error('the quota ledger holds what no ledger wrote') end
      return n
    end
    local head = redis.call('HMGET', key, 'id', 'sequence', 'time', 'doubtedUntil', 'writersSince')
    local id, sequence, seen, doubted, writersSince = head[1], number(head[2]), number(head[3]), number(head[4]), number(head[5])
    local now = math.max(host, seen)
    local names = {'start', 'end', 'spent', 'until', 'drift', 'next', 'contradictions', 'confirmed'}
    local function digits(n) return string.format('%.0f', n) end
    local function enter(writer)
      redis.call('HSET', key, 'writer.' .. writer, digits(sequence) .. ' ' .. digits(seen))
    end
    local function writers()
      local fields, times = redis.call('HGETALL', key), {}
      for i = 1, #fields, 2 do
        if string.find(fields[i], '^writer%.') then times[fields[i]] = number(string.match(fields[i + 1], '%d+$')) end
      end
      return times
    end
    local function forget(before)
      for field, time in pairs(writers()) do if time < before then redis.call('HDEL', key, field) end end
      redis.call('HSET', key, 'writersSince', digits(math.max(writersSince, before)))
    end
    local function load()
      local fields = {}
      for i, name in ipairs(names) do fields[i] = bucket .. '.' .. name end
      local values = redis.call('HMGET', key, unpack(fields))
      local present = (values[1] and 1 or 0) + (values[2] and 1 or 0) + (values[3] and 1 or 0)
      if present == 0 then return nil end
      if present < 3 then error('the quota ledger holds what no ledger wrote') end
      local account = {}
      for i, name in ipairs(names) do account[name] = number(values[i]) end
      return account
    end
    local function save(account, time)
      seen = math.max(seen, time)
      sequence = sequence + 1
      local args = {'id', id, 'sequence', digits(sequence), 'time', digits(seen), 'doubtedUntil', digits(doubted)}
      for _, name in ipairs(names) do
        args[#args + 1] = bucket .. '.' .. name
        args[#args + 1] = digits(account[name])
      end
      redis.call('HSET', key, unpack(args))
      redis.call('EXPIRE', key, 34560000)
    end
    local function reply(...)
      local values = {...}
      for i, value in ipairs(values) do if type(value) == 'number' then values[i] = digits(value) end end
      return values
    end

    """

  // ARGV[2...5] are day boundaries around the client's idea of the time. If the time is outside, the client is told it and asks again.
  private static let window = """
    local bounds = {tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])}
    local function day(time)
      for i = 1, 3 do if bounds[i] <= time and time < bounds[i + 1] then return bounds[i], bounds[i + 1] end end
    end
    local function fresh(time)
      local first, last = day(time)
      return {start = first, ['end'] = last, spent = 0, ['until'] = 0, drift = 0, next = 0, contradictions = 0, confirmed = 0}
    end
    local function current(time)
      local account = load()
      if not account then return fresh(time) end
      if account.start <= time and time < account['end'] then return account end
      local today = fresh(time)
      if time >= account['end'] then
        today.next = account.next
        return today
      end
      today.spent, today.drift, today.contradictions = account.spent, account.drift, account.contradictions
      today.confirmed = account.confirmed
      today['until'] = math.min(account['until'], today['end'])
      return today
    end

    """
}
