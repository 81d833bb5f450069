import Redis

extension QuotaScript {
  /// A write beside the ledger, by the commands that the ledger needs too: one of them at the first grant of a day only.
  static let probe = RedisScript(
    "redis.call('HSET', KEYS[1], 'probe', '1') redis.call('HDEL', KEYS[1], 'none') redis.call('EXPIRE', KEYS[1], 60) return 1")
}
