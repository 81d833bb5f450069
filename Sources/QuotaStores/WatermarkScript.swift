import Redis

/// The decisions of `WatermarkRecord` in Lua, on one hash for each list.
struct WatermarkScript: Sendable {
  let read: RedisScript
  let advance: RedisScript
  let bar: RedisScript
  let probe: RedisScript

  /// `clock` is a Lua expression of milliseconds since 1970: the server's time.
  init(clock: String = "milliseconds(redis.call('TIME'))") {
    let prelude = Self.prelude.replacing("CLOCK", with: clock)
    read = RedisScript(prelude + Self.readBody)
    advance = RedisScript(prelude + Self.advanceBody)
    bar = RedisScript(prelude + Self.barBody)
    probe = RedisScript(prelude + Self.probeBody)
  }

  // Numbers are written with all their digits: tostring() keeps 14.
  private static let prelude = """
    local function milliseconds(t) return t[1] * 1000 + math.floor(t[2] / 1000) end
    local function digits(n) return string.format('%.0f', n) end
    local key, now = KEYS[1], CLOCK
    local stored = redis.call('HMGET', key, 'started', 'full', 'barred')
    local function time(text)
      local n = tonumber(text)
      if n and n >= 0 and n <= 9007199254740992 then return n end
    end
    local started, full, barred = time(stored[1]), time(stored[2]), time(stored[3]) or 0

    """

  private static let readBody = """
    local values = redis.call('HMGET', key, 'started', 'completed', 'full', 'ids', 'unavailable')
    local answer = {digits(now)}
    for i = 1, 5 do answer[i + 1] = values[i] or '' end
    return answer
    """

  // started, '1' for a full pass, ids, unavailable ids, lifetime
  private static let advanceBody = """
    local mine = tonumber(ARGV[1])
    if mine <= barred and barred <= now then return 0 end
    if ARGV[2] == '1' and (not full or full > now or mine > full) then redis.call('HSET', key, 'full', ARGV[1]) end
    if not started or started < mine or started > now then
      redis.call('HSET', key, 'started', ARGV[1], 'completed', digits(now), 'ids', ARGV[3], 'unavailable', ARGV[4])
      redis.call('PEXPIRE', key, digits(math.max(1, mine + ARGV[5] - now)))
    end
    return 1
    """

  // time, lifetime
  private static let barBody = """
    local wanted = tonumber(ARGV[1])
    if barred <= now then wanted = math.max(wanted, barred) end
    redis.call('HSET', key, 'barred', digits(wanted))
    if started == tonumber(ARGV[1]) then
      redis.call('HDEL', key, 'started', 'completed', 'ids', 'unavailable')
      if full == started then redis.call('HDEL', key, 'full') end
    end
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[2]) end
    return 1
    """

  // Every command of the others.
  private static let probeBody = """
    redis.call('HSET', key, 'probe', digits(now))
    redis.call('HDEL', key, 'none')
    redis.call('PTTL', key)
    redis.call('PEXPIRE', key, 60000)
    return 1
    """
}
