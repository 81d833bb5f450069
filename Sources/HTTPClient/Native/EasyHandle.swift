import CCurl
import YouTubeAPI

/// One libcurl transfer, used for one exchange after the other. It is used on the loop's thread only.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private(set) var exchange: Exchange?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var body: [UInt8] = []
  private var headers: [HTTPField] = []
  private var isTooLarge = false
  private var wouldRepeat = false
  // Bytes that had left before the first sending: what was said to a proxy. `nil` until then.
  private var sentBefore: Int?

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    setConstantOptions()
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headerList)
  }

  private func setConstantOptions() {
    tl_curl_set_receivers(pointer, receiveBody, receiveHeader, Unmanaged.passUnretained(self).toOpaque())
    tl_curl_set_starter(pointer, sendOnce, Unmanaged.passUnretained(self).toOpaque())
    tl_curl_set_private(pointer, Unmanaged.passUnretained(self).toOpaque())
    tl_curl_set_long(pointer, CURLOPT_NOSIGNAL, 1)
    tl_curl_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
    tl_curl_set_long(pointer, CURLOPT_TCP_KEEPALIVE, 1)
    tl_curl_set_long(pointer, CURLOPT_LOW_SPEED_LIMIT, 1)
  }

  func prepare(_ exchange: Exchange) {
    self.exchange = exchange
    body = []
    headers = []
    isTooLarge = false
    wouldRepeat = false
    sentBefore = nil
    tl_curl_set_text(pointer, CURLOPT_URL, exchange.url)
    tl_curl_set_long(pointer, CURLOPT_TIMEOUT_MS, max(1, exchange.request.timeout.milliseconds))
    tl_curl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, max(1, exchange.limits.idleTimeout.milliseconds))
    tl_curl_set_long(pointer, CURLOPT_LOW_SPEED_TIME, max(1, exchange.limits.idleTimeout.milliseconds / 1000))
    var list: UnsafeMutablePointer<curl_slist>?
    for field in exchange.request.headers where field.name.lowercased() != "accept-encoding" {
      list = curl_slist_append(list, "\(field.name): \(field.value)")
    }
    // Asked for by its own option, which unpacks the answer as well.
    tl_curl_set_text(pointer, CURLOPT_ACCEPT_ENCODING, exchange.request.header("Accept-Encoding"))
    if let bytes = exchange.request.body {
      // Else a longer body would wait for the server's leave.
      list = curl_slist_append(list, "Expect:")
      bytes.withUnsafeBytes { tl_curl_set_copied_body(pointer, $0.baseAddress, $0.count) }
    } else {
      tl_curl_set_long(pointer, CURLOPT_HTTPGET, 1)
    }
    tl_curl_set_headers(pointer, list)
    curl_slist_free_all(headerList)
    headerList = list
  }

  /// Hands the outcome to the exchange and forgets it.
  func complete(_ code: CURLcode) {
    guard let exchange else { return }
    self.exchange = nil
    if code == CURLE_OK {
      let status = Int(tl_curl_get_long(pointer, CURLINFO_RESPONSE_CODE))
      exchange.finish(.success(HTTPResponse(status: status, headers: headers, body: body)))
    } else {
      exchange.finish(.failure(failure(code)))
    }
    body = []
  }

  /// Ends the exchange without its answer and forgets it.
  func cancel(_ reason: String = "") {
    exchange?.finish(.failure(wasSent ? TransportError(.cancelled, reason) : .cancelledInTime))
    exchange = nil
    body = []
  }

  private func failure(_ code: CURLcode) -> TransportError {
    if isTooLarge { return TransportError(.bodyTooLarge, "the body is larger than the limit") }
    if wouldRepeat { return TransportError(.connectionLost, "the server closed the connection") }
    return TransportError(kind(code), String(cString: curl_easy_strerror(code)))
  }

  /// Else nothing of the request has left: whatever went wrong, the API has not seen it.
  private var wasSent: Bool { sentBefore.map { sentBytes > $0 } ?? false }
  private var sentBytes: Int { tl_curl_get_long(pointer, CURLINFO_REQUEST_SIZE) }

  private func kind(_ code: CURLcode) -> TransportError.Kind {
    switch code {
    case CURLE_URL_MALFORMAT: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameResolution
    case CURLE_COULDNT_CONNECT: .connectionRefused
    case CURLE_OPERATION_TIMEDOUT: wasSent ? .timedOut : .connectTimedOut
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      wasSent ? .connectionLost : .notConnected
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedResponse
    default: wasSent ? .other : .notConnected
    }
  }

  // libcurl sends a request again when a connection that was used before is lost without an answer. Once bytes of it have left, the API
  // may have counted it: whoever asked has to reserve for another.
  fileprivate func maySend() -> Bool {
    wouldRepeat = wasSent
    sentBefore = sentBefore ?? sentBytes
    return !wouldRepeat
  }

  fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    guard let exchange, body.count + bytes.count <= exchange.limits.maximumBodySize else {
      isTooLarge = true
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  fileprivate func receive(header bytes: UnsafeRawBufferPointer) -> Int {
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // Of several heads (an interim answer, a proxy's) the last one counts.
      headers = []
    } else if headers.count < 200, let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimming(while: \.isWhitespace)
      headers.append(HTTPField(String(line[..<colon]), String(value)))
    }
    return bytes.count
  }
}

extension Substring {
  fileprivate func trimming(while matches: (Character) -> Bool) -> Substring {
    let start = drop(while: matches)
    guard let last = start.lastIndex(where: { !matches($0) }) else { return "" }
    return start[...last]
  }
}

extension Duration {
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

// libcurl calls these on the loop's thread, inside curl_multi_perform.
private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?) -> Int {
  guard let context else { return 0 }
  let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  return handle.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func sendOnce(
  _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
  guard let context else { return CURL_PREREQFUNC_ABORT }
  return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().maySend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?) -> Int {
  guard let context else { return 0 }
  let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  return handle.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
}
