extension QuotaScript {
  // bucket, 4 boundaries, cost, limit, usable, allowance, interval, burst, new id, seen id, seen sequence, seen time ('' is none), '1' where
  // a ledger that was marked as lost is taken as it is, the process's own name, sequence and time of its last entry ('' is none), the clocks
  // that belong to the two times
  static let reserveBody = """
    local cost, limit, usable = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
    local allowance, interval, burst = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
    local today, tomorrow = day(now)
    if not today then return reply('window', now) end
    local known = load()
    local confirmed = known and known.confirmed or 0
    local loss, since
    if ARGV[13] ~= '' and tonumber(ARGV[15]) >= today then
      since = tonumber(ARGV[20])
      if not id then
        loss = 'missing'
      elseif id ~= ARGV[13] then
        loss = 'replaced'
      elseif sequence < tonumber(ARGV[14]) then
        loss = 'rolledBack'
      elseif ARGV[18] ~= '' and tonumber(ARGV[19]) >= math.max(today, writersSince) and tonumber(ARGV[19]) <= now + 3600000 then
        local own = redis.call('HMGET', key, 'writer.' .. ARGV[17])[1]
        since = tonumber(ARGV[21])
        if number(string.match(own or '', '^%d+')) < tonumber(ARGV[18]) then loss = 'rolledBack' end
      end
    end
    local above = math.max(sequence, tonumber(ARGV[14]) or 0)
    if loss then
      above = above + 1
      id, sequence, seen, doubted = id or ARGV[12], above, now, tomorrow
      redis.call('HSET', key, 'id', id, 'sequence', digits(sequence), 'time', digits(seen), 'doubtedUntil', digits(doubted))
      enter(ARGV[17])
      local fields = redis.call('HGETALL', key)
      for i = 1, #fields, 2 do
        if string.find(fields[i], '%.confirmed$') and number(fields[i + 1]) < since then
          redis.call('HSET', key, fields[i], '0')
        end
      end
      redis.call('EXPIRE', key, 34560000)
      if not (confirmed > 0 and confirmed >= since) then return reply('lost', loss, id, sequence, seen, host) end
    end
    if ARGV[16] == '1' then doubted = 0 end
    if doubted > now and confirmed == 0 then return reply('lost', 'doubted') end
    if host < seen - 3600000 then return reply('behind', host, seen) end
    local stored = id or ''
    id = id or ARGV[12]
    local account = current(now)
    local first, last, need = account.start, account['end'], account.spent + cost
    local length = last - first
    local function deny(reason, till)
      local remaining = 0
      if account['until'] <= now then remaining = math.max(0, limit - account.spent) end
      return reply('denied', stored, sequence, seen, host, now, first, last, remaining, reason, till)
    end
    if account['until'] > now then return deny('exhaustedByAPI', account['until']) end
    if need > limit then return deny('usedUp', last) end
    if need > usable then return deny('reserve', last) end
    if allowance then
      local accruing, product = usable - allowance, (usable - allowance) * (now - first)
      if need > allowance + (product - product % length) / length then
        local wanted = (need - allowance) * length
        return deny('pacing', first + (wanted - wanted % accruing) / accruing + (wanted % accruing > 0 and 1 or 0))
      end
    end
    if interval then
      local earliest = account.next - (burst - 1) * interval
      if earliest > now * 1000 then
        return deny('requestsPerMinute', (earliest - earliest % 1000) / 1000 + (earliest % 1000 > 0 and 1 or 0))
      end
      account.next = math.max(account.next, now * 1000) + interval
    end
    account.spent = need
    if not known or known.start ~= first or known['end'] ~= last then
      forget(first)
    end
    sequence = above
    save(account, now)
    enter(ARGV[17])
    return reply('granted', id, sequence, seen, host, now, first, last, limit - account.spent)
    """

  // (an unused bucket) the process's own name
  static let joinBody = """
    if not id or host < seen - 3600000 then return reply('ignored') end
    local times = {}
    for _, time in pairs(writers()) do times[#times + 1] = time end
    table.sort(times)
    if #times >= MOST then forget(times[#times - MOST / 2 + 1]) end
    sequence, seen = sequence + 1, now
    redis.call('HSET', key, 'sequence', digits(sequence), 'time', digits(seen))
    redis.call('EXPIRE', key, 34560000)
    enter(ARGV[2])
    return reply('joined', id, sequence, seen, host)
    """

  // bucket, cost, day start, day end, ledger id, the ledger's time
  static let refundBody = """
    local account = load()
    if not account or id ~= ARGV[5] or account.start ~= tonumber(ARGV[3]) or account['end'] ~= tonumber(ARGV[4]) then
      return reply('ignored')
    end
    local granted = tonumber(ARGV[6])
    if granted > seen or (account.confirmed > 0 and account.confirmed >= granted) then return reply('ignored') end
    account.spent = math.max(0, account.spent - tonumber(ARGV[2]))
    save(account, seen)
    return reply('done')
    """

  // bucket, 4 boundaries, limit, day start and end of the refused call ('' is unknown), new id
  static let exhaustBody = """
    if host < seen - 3600000 then return reply('behind', host, seen) end
    if not day(now) then return reply('window', now) end
    id = id or ARGV[9]
    local account = current(now)
    local first, last = account.start, account['end']
    if ARGV[7] ~= '' and (tonumber(ARGV[7]) ~= first or tonumber(ARGV[8]) ~= last) then return reply('ignored') end
    local grace = math.min(600000, math.floor((last - first) / 100))
    if now - first < grace then
      account['until'] = math.max(account['until'], math.min(last, now + math.floor(grace / 10)))
    else
      if account['until'] <= now then account.drift = math.max(0, tonumber(ARGV[6]) - account.spent) end
      account['until'] = last
    end
    save(account, now)
    return reply('done')
    """

  // bucket, day start, day end
  static let answeredBody = """
    local account = load()
    if not account or account.start ~= tonumber(ARGV[2]) or account['end'] ~= tonumber(ARGV[3]) or account['until'] == 0 then
      return reply('ignored')
    end
    account.contradictions = account.contradictions + 1
    save(account, seen)
    return reply('done')
    """

  // (no arguments but an unused bucket) The time, then the hash as it is.
  static let statusBody = """
    local answer = {digits(host)}
    for _, value in ipairs(redis.call('HGETALL', key)) do answer[#answer + 1] = value end
    return answer
    """

  // bucket, 4 boundaries, spent, new id
  static let setBody = """
    if not day(host) then return reply('window', host) end
    id = id or ARGV[7]
    local before = current(host).spent
    local account = fresh(host)
    account.spent = math.max(0, tonumber(ARGV[6]))
    account.confirmed = host
    seen = host
    save(account, host)
    if writersSince > account['end'] then redis.call('HSET', key, 'writersSince', digits(account['end'])) end
    return reply('done', before)
    """

  static let clearBody = """
    local account = load()
    if not account then return reply('ignored') end
    account['until'], account.drift, account.contradictions = 0, 0, 0
    save(account, seen)
    return reply('done')
    """
}
