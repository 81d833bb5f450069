import CLibrdkafka

extension AdminHandle {
  /// Asks for all topics: naming one may create it.
  func describeCluster(timeout: Int32) async throws -> ClusterDescription {
    try await client.perform { client in
      var metadata: UnsafePointer<rd_kafka_metadata>?
      try KafkaError.check(rd_kafka_metadata(client, 1, nil, &metadata, timeout))
      defer { rd_kafka_metadata_destroy(metadata) }
      guard let metadata = metadata?.pointee else { throw KafkaError(RD_KAFKA_RESP_ERR__BAD_MSG) }
      let clusterID = rd_kafka_clusterid(client, 0)
      defer { if let clusterID { rd_kafka_mem_free(client, clusterID) } }
      let controllerID = rd_kafka_controllerid(client, 0)
      return ClusterDescription(
        clusterID: clusterID.map { String(cString: $0) }, controllerID: controllerID < 0 ? nil : controllerID,
        brokers: UnsafeBufferPointer(start: metadata.brokers, count: Int(metadata.broker_cnt)).map {
          ClusterDescription.Broker(id: $0.id, host: String(cString: $0.host), port: Int($0.port))
        },
        topics: UnsafeBufferPointer(start: metadata.topics, count: Int(metadata.topic_cnt)).map { TopicDescription($0) })
    }
  }
}

extension TopicDescription {
  fileprivate init(_ topic: rd_kafka_metadata_topic) {
    self.init(
      name: String(cString: topic.topic),
      partitions: UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt)).map { partition in
        Partition(
          id: partition.id, leader: partition.leader < 0 ? nil : partition.leader,
          replicas: Array(UnsafeBufferPointer(start: partition.replicas, count: Int(partition.replica_cnt))),
          inSyncReplicas: Array(UnsafeBufferPointer(start: partition.isrs, count: Int(partition.isr_cnt))))
      },
      error: topic.err == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaError(topic.err))
  }
}
