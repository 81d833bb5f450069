#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>

// rd_kafka_producev is variadic, and Swift cannot name the union of rd_kafka_vu_t cheaply: the array form, built on the stack.
// The payload and the key are copied; the headers belong to librdkafka once this returns RD_KAFKA_RESP_ERR_NO_ERROR.
static inline rd_kafka_resp_err_t kafka_produce(
    rd_kafka_t *client, rd_kafka_topic_t *topic, int32_t partition, const void *key, size_t key_size, const void *value,
    size_t value_size, int64_t timestamp, rd_kafka_headers_t *headers, void *opaque) {
  rd_kafka_vu_t units[8];
  size_t count = 0;
  units[count].vtype = RD_KAFKA_VTYPE_RKT;
  units[count++].u.rkt = topic;
  units[count].vtype = RD_KAFKA_VTYPE_PARTITION;
  units[count++].u.i32 = partition;
  units[count].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  units[count++].u.i = RD_KAFKA_MSG_F_COPY;
  units[count].vtype = RD_KAFKA_VTYPE_KEY;
  units[count].u.mem.ptr = (void *)key;
  units[count++].u.mem.size = key_size;
  units[count].vtype = RD_KAFKA_VTYPE_VALUE;
  units[count].u.mem.ptr = (void *)value;
  units[count++].u.mem.size = value_size;
  units[count].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  units[count++].u.i64 = timestamp;
  units[count].vtype = RD_KAFKA_VTYPE_OPAQUE;
  units[count++].u.ptr = opaque;
  if (headers) {
    units[count].vtype = RD_KAFKA_VTYPE_HEADERS;
    units[count++].u.headers = headers;
  }
  rd_kafka_error_t *error = rd_kafka_produceva(client, units, count);
  if (!error) return RD_KAFKA_RESP_ERR_NO_ERROR;
  rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  rd_kafka_error_destroy(error);
  return code;
}

// Variadic too: the next request of that kind to that broker is answered after the given time, in milliseconds.
static inline rd_kafka_resp_err_t kafka_mock_delay_next(
    rd_kafka_mock_cluster_t *cluster, int32_t broker, int16_t api_key, int milliseconds) {
  return rd_kafka_mock_broker_push_request_error_rtts(
      cluster, broker, api_key, 1, RD_KAFKA_RESP_ERR_NO_ERROR, milliseconds);
}

// The table of all properties, as text to be freed by the caller; NULL when there is no memory.
static inline char *kafka_property_table(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  rd_kafka_conf_properties_show(stream);
  if (fclose(stream) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
