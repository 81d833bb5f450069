import Redis

extension QuotaScript {
  /// A write beside the ledger, by commands that the ledger needs too.
  static let probe = RedisScript("redis.call('HSET', KEYS[1], 'probe', '1') redis.call('EXPIRE', KEYS[1], 60) return 1")
}
