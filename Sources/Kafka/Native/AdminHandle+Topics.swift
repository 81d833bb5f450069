import CLibrdkafka

extension AdminHandle {
  func createTopics(_ topics: [NewTopic], timeout: Int32) async throws -> [String: TopicCreation] {
    try await request(RD_KAFKA_ADMIN_OP_CREATETOPICS, timeout: timeout) { client, options, queue in
      var natives: [OpaquePointer?] = []
      defer { rd_kafka_NewTopic_destroy_array(&natives, natives.count) }
      for topic in topics { natives.append(try Self.native(topic)) }
      rd_kafka_CreateTopics(client, &natives, natives.count, options, queue)
    } read: { event in
      var count = 0
      let results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count)
      return Self.results(results, count).mapValues { error in
        guard let error else { return .created }
        return error.code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS.rawValue ? .alreadyExists : .failed(error)
      }
    }
  }

  func deleteTopics(_ names: [String], timeout: Int32) async throws -> [String: KafkaError?] {
    try await request(RD_KAFKA_ADMIN_OP_DELETETOPICS, timeout: timeout) { client, options, queue in
      var natives = names.map { rd_kafka_DeleteTopic_new($0) }
      defer { rd_kafka_DeleteTopic_destroy_array(&natives, natives.count) }
      rd_kafka_DeleteTopics(client, &natives, natives.count, options, queue)
    } read: { event in
      var count = 0
      let results = rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event), &count)
      return Self.results(results, count)
    }
  }

  func deleteRecords(before offsets: [TopicPartition: Int64], timeout: Int32) async throws {
    try await request(RD_KAFKA_ADMIN_OP_DELETERECORDS, timeout: timeout) { client, options, queue in
      var native = PartitionList(offsets).withPointer { rd_kafka_DeleteRecords_new($0) }
      defer { if let native { rd_kafka_DeleteRecords_destroy(native) } }
      rd_kafka_DeleteRecords(client, &native, 1, options, queue)
    } read: { event in
      guard let list = rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event)) else { return }
      try PartitionList.checkEach(list)
    }
  }

  func topicConfigurations(_ names: [String], timeout: Int32) async throws -> [String: [TopicConfigurationEntry]] {
    try await request(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, timeout: timeout) { client, options, queue in
      var natives = names.map { rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, $0) }
      defer { rd_kafka_ConfigResource_destroy_array(&natives, natives.count) }
      rd_kafka_DescribeConfigs(client, &natives, natives.count, options, queue)
    } read: { event in
      var count = 0
      let resources = rd_kafka_DescribeConfigs_result_resources(rd_kafka_event_DescribeConfigs_result(event), &count)
      var configurations: [String: [TopicConfigurationEntry]] = [:]
      for case let resource? in UnsafeBufferPointer(start: resources, count: count) {
        let code = rd_kafka_ConfigResource_error(resource)
        if code != RD_KAFKA_RESP_ERR_NO_ERROR {
          throw KafkaError(code, rd_kafka_ConfigResource_error_string(resource).map { String(cString: $0) })
        }
        configurations[String(cString: rd_kafka_ConfigResource_name(resource))] = Self.entries(resource)
      }
      return configurations
    }
  }

  private static func native(_ topic: NewTopic) throws -> OpaquePointer {
    let (native, text) = withErrorText {
      rd_kafka_NewTopic_new(
        topic.name, topic.partitions.map { Int32(clamping: $0) } ?? -1, topic.replicationFactor.map { Int32(clamping: $0) } ?? -1, $0, $1)
    }
    guard let native else { throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, "topic \"\(topic.name)\": \(text)") }
    for (name, value) in topic.configuration { rd_kafka_NewTopic_set_config(native, name, value) }
    return native
  }

  private static func results(_ results: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int) -> [String: KafkaError?] {
    var errors: [String: KafkaError?] = [:]
    for case let result? in UnsafeBufferPointer(start: results, count: count) {
      let code = rd_kafka_topic_result_error(result)
      let text = rd_kafka_topic_result_error_string(result).map { String(cString: $0) }
      let error = code == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaError(code, text)
      errors.updateValue(error, forKey: String(cString: rd_kafka_topic_result_name(result)))
    }
    return errors
  }

  private static func entries(_ resource: OpaquePointer) -> [TopicConfigurationEntry] {
    var count = 0
    let entries = rd_kafka_ConfigResource_configs(resource, &count)
    return UnsafeBufferPointer(start: entries, count: count).compactMap { entry in
      guard let entry else { return nil }
      let value = rd_kafka_ConfigEntry_is_sensitive(entry) != 0 ? nil : rd_kafka_ConfigEntry_value(entry).map { String(cString: $0) }
      return TopicConfigurationEntry(
        name: String(cString: rd_kafka_ConfigEntry_name(entry)), value: value, isDefault: rd_kafka_ConfigEntry_is_default(entry) != 0)
    }
  }
}
