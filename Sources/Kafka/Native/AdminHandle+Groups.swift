import CLibrdkafka

extension AdminHandle {
  func describeGroups(_ groupIDs: [String], timeout: Int32) async throws -> [GroupDescription] {
    try await request(RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, timeout: timeout) { client, options, queue in
      withCStrings(groupIDs) { rd_kafka_DescribeConsumerGroups(client, $0.baseAddress, $0.count, options, queue) }
    } read: { event in
      var count = 0
      let groups = rd_kafka_DescribeConsumerGroups_result_groups(rd_kafka_event_DescribeConsumerGroups_result(event), &count)
      return try UnsafeBufferPointer(start: groups, count: count).compactMap { group in
        guard let group else { return nil }
        if let error = rd_kafka_ConsumerGroupDescription_error(group) { throw KafkaError(borrowing: error) }
        return GroupDescription(group)
      }
    }
  }
}

extension GroupDescription {
  fileprivate init(_ group: OpaquePointer) {
    self.init(
      groupID: text(rd_kafka_ConsumerGroupDescription_group_id(group)),
      state: text(rd_kafka_consumer_group_state_name(rd_kafka_ConsumerGroupDescription_state(group))),
      assignor: text(rd_kafka_ConsumerGroupDescription_partition_assignor(group)),
      members: (0..<rd_kafka_ConsumerGroupDescription_member_count(group)).compactMap { index in
        rd_kafka_ConsumerGroupDescription_member(group, index).map { Member($0) }
      })
  }
}

extension GroupDescription.Member {
  fileprivate init(_ member: OpaquePointer) {
    let assignment = rd_kafka_MemberDescription_assignment(member).map { rd_kafka_MemberAssignment_partitions($0) } ?? nil
    self.init(
      id: text(rd_kafka_MemberDescription_consumer_id(member)), clientID: text(rd_kafka_MemberDescription_client_id(member)),
      instanceID: rd_kafka_MemberDescription_group_instance_id(member).map { String(cString: $0) },
      host: text(rd_kafka_MemberDescription_host(member)), partitions: PartitionList.partitions(assignment).sorted())
  }
}

private func text(_ start: UnsafePointer<CChar>?) -> String { start.map { String(cString: $0) } ?? "" }

/// Lends an array of C strings.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> R) -> R {
  let copies = strings.map { string in
    let bytes = Array(string.utf8CString)
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }
  defer { for copy in copies { copy.deallocate() } }
  var pointers = copies.map { UnsafePointer($0.baseAddress) }
  return pointers.withUnsafeMutableBufferPointer { body($0) }
}
